import type { Context } from "../context.ts";
import type { CookieJar } from "./cookies.ts";
import type { Session } from "./viewer.ts";

/** One request as operations see it: session, client, and the cookies of the response. */
export type Request = {
  context: Context;
  session: Session | null;
  /** The sender's network address; never stored as it is. */
  address: string;
  /** Whether it was sent on this machine and not through a proxy: the demo's mails may only be read there. */
  isLocal: boolean;
  /** The User-Agent header; never stored as it is. */
  userAgent: string;
  cookies: CookieJar;
};
