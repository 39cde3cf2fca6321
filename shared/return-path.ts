const BASE = "http://own.invalid";

/** Where to go after something was done: a path of our own, or the start. Whatever could lead elsewhere becomes "/". */
export function ownPath(path: string | null | undefined): string {
  const target = path?.startsWith("/") && !/[\\\u0000-\u001f]/.test(path) ? URL.parse(path, BASE) : null;
  if (target?.origin !== BASE) return "/";
  const clean = target.pathname + target.search + target.hash;
  // 500 is what a registration remembers; what "/.//" becomes would lead elsewhere.
  return clean.length > 500 || clean.startsWith("//") ? "/" : clean;
}

/** The same after signing in: never back to the sign-in page. */
export function returnPath(path: string | null | undefined): string {
  const own = ownPath(path);
  return /^\/(auth|salir|tema)(?![\w-])/.test(own) ? "/" : own;
}
