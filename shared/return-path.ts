const BASE = "http://own.invalid";

/**
 * The path to return to after an action: one of our own, or the start. Anything that could lead to another site becomes
 * "/".
 */
export function ownPath(path: string | null | undefined): string {
  const target = path?.startsWith("/") && !/[\\\u0000-\u001f]/.test(path) ? URL.parse(path, BASE) : null;
  if (target?.origin !== BASE) return "/";
  const clean = target.pathname + target.search + target.hash;
  // A registration stores up to 500 characters; "/.//" would resolve to another site.
  return clean.length > 500 || clean.startsWith("//") ? "/" : clean;
}

/** The same after signing in: never back to the sign-in page. */
export function returnPath(path: string | null | undefined): string {
  const own = ownPath(path);
  return /^\/(auth|salir|tema)(?![\w-])/.test(own) ? "/" : own;
}
