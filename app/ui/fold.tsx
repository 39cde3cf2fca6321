import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import "./fold.css";

/** A part that opens and closes, without JavaScript as well; between lines, or in a panel of its own. */
export function Fold({ title, className, children }: { title: ReactNode; className?: string; children: ReactNode }) {
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
