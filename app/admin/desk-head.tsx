import type { ReactNode } from "react";
import "./desk-head.css";

/** The title of a list on the desk, and what one has to know to work on it. */
export function DeskHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="desk-head">
      <h2 id={id} className="title-l">
        {title}
      </h2>
      {children && <p>{children}</p>}
    </div>
  );
}
