/** Slashes stay readable. */
export const encodePath = (path: string): string => encodeURIComponent(path).replaceAll("%2F", "/");

export const isAskPath = (path: string): boolean => path.startsWith("/nueva-consulta");

/** The consultation form opens registration, because most of its visitors have no account. */
export const signInPath = (back: string): string =>
  back === "/" ? "/auth" : `/auth?${isAskPath(back) ? "modo=registro&" : ""}volver=${encodePath(back)}`;
