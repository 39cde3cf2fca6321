import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import "./fold.css";

/** Disclosure that works without JavaScript, between lines or as a panel. */
export function Collapsible({
  title,
  className,
  children,
}: {
  title: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={classNames("fold", className ?? "fold--line")}>
      <summary className="fold__title">
        {title}
        <span aria-hidden="true" className="fold__plus">
          +
        </span>
      </summary>
      <div className="fold__body">{children}</div>
    </details>
  );
}
