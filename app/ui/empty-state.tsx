import type { ReactNode } from "react";
import { EmptyCouch } from "./drawings.tsx";

interface EmptyStateProps {
  title: ReactNode;
  /** A drawing of another kind, or null for none. */
  drawing?: ReactNode;
  /** The next step: a link or a button. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Nothing is here yet, why, and what to do next. */
export function EmptyState({ title, drawing = <EmptyCouch />, action, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {drawing}
      <p className="empty-state__title">{title}</p>
      {children && <div className="soft">{children}</div>}
      {action}
    </div>
  );
}
