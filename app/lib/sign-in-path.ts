/** A path as the value of a parameter. Slashes stay, so that it can be read. */
export const pathParameter = (path: string): string => encodeURIComponent(path).replaceAll("%2F", "/");

/** The address of signing in that leads back to a path of ours afterwards. */
export const signInPath = (back: string): string => (back === "/" ? "/auth" : `/auth?volver=${pathParameter(back)}`);
