/** Encodes a path as a parameter. Slashes stay readable. */
export const encodePath = (path: string): string => encodeURIComponent(path).replaceAll("%2F", "/");

export const isAskPath = (path: string): boolean => path.startsWith("/nueva-consulta");

/**
 * Path of the sign-in page that returns to `back`. For the consultation form it opens registration, because most of
 * those visitors have no account.
 */
export const signInPath = (back: string): string =>
  back === "/" ? "/auth" : `/auth?${isAskPath(back) ? "modo=registro&" : ""}volver=${encodePath(back)}`;
