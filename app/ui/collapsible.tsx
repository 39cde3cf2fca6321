import type { ReactNode } from "react";
import "./collapsible.css";

type CollapsibleProps = { id?: string; title: ReactNode; className?: string; children: ReactNode };

export const Collapsible = ({ id, title, className = "collapsible--plain", children }: CollapsibleProps) => (
  <details id={id} className={`collapsible ${className}`}>
    <summary className="collapsible__trigger">
      {title}
      <span aria-hidden="true" className="collapsible__icon">
        +
      </span>
    </summary>
    <div className="collapsible__content">{children}</div>
  </details>
);
