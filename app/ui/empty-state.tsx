import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { EmptyCouch } from "#app/ui/illustrations.tsx";

interface EmptyStateProps {
  title: ReactNode;
  /** Replaces the default drawing. Null for none. */
  drawing?: ReactNode;
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

interface ErrorStateProps {
  title: ReactNode;
  /** Control to try again; null if it is next to the error. A link to the same URL works without JavaScript. */
  action?: ReactNode;
}

/** Error with a retry control. Screen readers announce it. */
export function ErrorState({ title, action = <Retry /> }: ErrorStateProps) {
  return (
    <div className="empty-state empty-state--danger" role="alert">
      <p className="empty-state__title">{title}</p>
      {action}
    </div>
  );
}

/** Reloads the page's data through the router. Offline, a browser reload would lose the page. */
export function Retry() {
  const { pathname, search } = useLocation();
  return (
    <Link className="button button--soft button--small" to={pathname + search} replace preventScrollReset>
      Reintentar
    </Link>
  );
}
