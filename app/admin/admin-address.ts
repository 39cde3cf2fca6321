/** The parameters of the page's address, as they are. */
export type AdminQuery = Readonly<Record<string, string>>;

/** The address of a tab's list with other parameters. */
export const adminAddress = (query: AdminQuery, changes: AdminQuery) =>
  `/admin?${new URLSearchParams({ ...query, ...changes })}`;
