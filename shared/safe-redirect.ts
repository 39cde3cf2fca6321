import { LIMITS } from "./limits.ts";

const BASE = "http://own.invalid";

/** Returns a path of this site, or "/" for any text that could be a URL of another site. */
export function safeRedirect(path: string | null | undefined): string {
  const target = path?.startsWith("/") && !/[\\\u0000-\u001f]/.test(path) ? URL.parse(path, BASE) : null;
  if (target?.origin !== BASE) return "/";
  const clean = target.pathname + target.search + target.hash;
  // "/.//" would resolve to another site.
  return clean.length > LIMITS.returnPath || clean.startsWith("//") ? "/" : clean;
}

/** True if the router shows a page of signing in or out, or the theme, for a path: it decodes and ignores capitals. */
function isSignInPath(path: string): boolean {
  try {
    return /^\/(auth|salir|tema)(?![\w-])/i.test(decodeURI(path));
  } catch {
    return true;
  }
}

/** Returns the path to redirect to after signing in; never a sign-in page. */
export function safeRedirectAfterSignIn(path: string | null | undefined): string {
  const own = safeRedirect(path);
  return isSignInPath(new URL(own, BASE).pathname) ? "/" : own;
}
