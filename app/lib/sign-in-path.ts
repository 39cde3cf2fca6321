/** The address of signing in that leads back to a path of ours afterwards. Slashes stay, so that it can be read. */
export const signInPath = (back: string): string =>
  back === "/" ? "/auth" : `/auth?volver=${encodeURIComponent(back).replaceAll("%2F", "/")}`;
