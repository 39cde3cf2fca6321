const BASE = "http://own.invalid";

/** Returns a path of this site, or "/" for any text that could be a URL of another site. */
export function safeRedirect(path: string | null | undefined): string {
  const target = path?.startsWith("/") && !/[\\\u0000-\u001f]/.test(path) ? URL.parse(path, BASE) : null;
  if (target?.origin !== BASE) return "/";
  const clean = target.pathname + target.search + target.hash;
  // A registration stores up to 500 characters; "/.//" would resolve to another site.
  return clean.length > 500 || clean.startsWith("//") ? "/" : clean;
}

/** Returns the path to redirect to after signing in; never a sign-in page. */
export function safeRedirectAfterSignIn(path: string | null | undefined): string {
  const own = safeRedirect(path);
  return /^\/(auth|salir|tema)(?![\w-])/.test(own) ? "/" : own;
}
