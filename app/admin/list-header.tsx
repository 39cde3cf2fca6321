import type { ReactNode } from "react";
import "./row.css";

export function ListHeader({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="admin-list-header">
      <h2 id={id} className="title-l">
        {title}
      </h2>
      {children && <p className="text-muted small">{children}</p>}
    </div>
  );
}
