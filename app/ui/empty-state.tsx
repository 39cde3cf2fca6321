import type { ReactNode } from "react";
import { EmptyCouch } from "./illustrations.tsx";

interface EmptyStateProps {
  title: ReactNode;
  /** Replaces the default drawing. Null for none. */
  drawing?: ReactNode;
  /** Next step: a link or a button. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Says that a list is empty, with the next step. */
export function EmptyState({ title, drawing = <EmptyCouch />, action, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {drawing}
      <p className="empty-state__title">{title}</p>
      {children && <div className="text-muted">{children}</div>}
      {action}
    </div>
  );
}
