import type { Context } from "../context.ts";
import type { CookieJar } from "./cookies.ts";
import type { Session } from "./viewer.ts";

/** A request for operations. */
export type RequestContext = {
  context: Context;
  session: Session | null;
  /** The sender's IP; never stored in plain text. */
  address: string;
  /** True if it was sent on this machine without a proxy. Only local requests may read the demo's mails. */
  isLocal: boolean;
  /** The User-Agent header; never stored in plain text. */
  userAgent: string;
  cookies: CookieJar;
};
