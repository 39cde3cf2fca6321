import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { EmptyCouch } from "#app/ui/illustrations.tsx";

interface EmptyStateProps {
  title: ReactNode;
  drawing?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

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
  /** Null if it is next to the error. */
  action?: ReactNode;
}

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
