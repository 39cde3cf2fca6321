/** The parameters of the page's address, as they are. */
export type AdminQuery = Readonly<Record<string, string>>;

/** The address of a tab's list with other parameters. */
export const adminAddress = (query: AdminQuery, changes: AdminQuery) =>
  `/admin?${new URLSearchParams({ ...query, ...changes })}`;

/** Loads a tab again: a whole load, which needs nothing of the page that failed. */
export const RetryTab = ({ view }: { view?: string }) => (
  <a className="btn btn--soft btn--s" href={view ? `/admin?vista=${view}` : "/admin"}>
    Reintentar
  </a>
);
