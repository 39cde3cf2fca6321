import type { Request } from "../../sessions/request.ts";
import { hashToken, sameBytes } from "../../tokens.ts";

/** Cookie of the browser that registered. One tap there confirms the registration. */
export const BROWSER_COOKIE = "registration";

/** True if this browser registered. */
export function isSameBrowser(request: Request, browserHash: Buffer): boolean {
  const browser = request.cookies.get(BROWSER_COOKIE);
  return browser !== undefined && sameBytes(hashToken(browser), browserHash);
}
