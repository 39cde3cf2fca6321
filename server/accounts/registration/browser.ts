import type { RequestContext } from "../../sessions/request-context.ts";
import { hashToken, timingSafeEqualBytes } from "../../tokens.ts";

/** Cookie of the browser that registered. One tap there confirms the registration. */
export const BROWSER_COOKIE = "registration";

/** True if this browser registered. */
export function isSameBrowser(request: RequestContext, browserHash: Buffer): boolean {
  const browser = request.cookies.get(BROWSER_COOKIE);
  return browser !== undefined && timingSafeEqualBytes(hashToken(browser), browserHash);
}
