import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { EmptyCouch } from "./illustrations.tsx";

type EmptyStateProps = { title: ReactNode; drawing?: ReactNode; action?: ReactNode; children?: ReactNode };

export const EmptyState = ({ title, drawing = <EmptyCouch />, action, children }: EmptyStateProps) => (
  <div className="empty-state">
    {drawing}
    <p className="empty-state__title">{title}</p>
    {children && <div className="text-muted">{children}</div>}
    {action}
  </div>
);

/** @param action null if it is next to the error */
export const ErrorState = ({ title, action = <Retry /> }: { title: ReactNode; action?: ReactNode }) => (
  <div className="empty-state empty-state--danger" role="alert">
    <p className="empty-state__title">{title}</p>
    {action}
  </div>
);

/** Reloads the page's data through the router. Offline, a browser reload would lose the page. */
export function Retry() {
  const { pathname, search } = useLocation();
  return (
    <Link className="button button--soft button--small" to={pathname + search} replace preventScrollReset>
      Reintentar
    </Link>
  );
}
