import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import "./collapsible.css";

export function Collapsible({
  id,
  title,
  className,
  children,
}: {
  id?: string;
  title: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details id={id} className={classNames("collapsible", className ?? "collapsible--plain")}>
      <summary className="collapsible__trigger">
        {title}
        <span aria-hidden="true" className="collapsible__icon">
          +
        </span>
      </summary>
      <div className="collapsible__content">{children}</div>
    </details>
  );
}
