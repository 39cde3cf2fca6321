/** A path as the value of a parameter. Slashes stay, so that it can be read. */
export const pathParameter = (path: string): string => encodeURIComponent(path).replaceAll("%2F", "/");

/** True if a path leads to the form of a consultation. */
export const isAskPath = (path: string): boolean => path.startsWith("/nueva-consulta");

/** The address of signing in that leads back to a path of ours afterwards. Most visitors who want to ask have no account. */
export const signInPath = (back: string): string =>
  back === "/" ? "/auth" : `/auth?${isAskPath(back) ? "modo=registro&" : ""}volver=${pathParameter(back)}`;
