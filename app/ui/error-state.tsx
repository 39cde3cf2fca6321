import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";

interface ErrorStateProps {
  title: ReactNode;
  /** How to try again: a link to the same address works without JavaScript. */
  action: ReactNode;
}

/** Something could not be shown, and how to try again. Announced when it appears. */
export function ErrorState({ title, action }: ErrorStateProps) {
  return (
    <div className="empty-state empty-state--danger" role="alert">
      <p className="empty-state__title">{title}</p>
      {action}
    </div>
  );
}

/** Asks for the page once more, without leaving it: where there is no network, the browser has no page to show instead. */
export function Retry() {
  const { pathname, search } = useLocation();
  return (
    <Link className="button button--soft button--small" to={pathname + search} replace preventScrollReset>
      Reintentar
    </Link>
  );
}
