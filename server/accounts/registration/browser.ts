import type { Request } from "../../sessions/request.ts";
import { hashToken, sameBytes } from "../../tokens.ts";

/** Marks the browser that registered, where one tap is enough to confirm. */
export const BROWSER_COOKIE = "registration";

/** Whether this is the browser that registered. */
export function isSameBrowser(request: Request, browserHash: Buffer): boolean {
  const browser = request.cookies.get(BROWSER_COOKIE);
  return browser !== undefined && sameBytes(hashToken(browser), browserHash);
}
