/** Wraps every response: headers, errors, and the session of the request. */
import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { withMessage } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { WRITER_SECONDS } from "../database/replica.ts";
import { openCookieJar } from "../sessions/cookies.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { resolveSession } from "../sessions/session.ts";
import { asAppError, errorPage, errorResponse } from "./errors.ts";
import { clientIp, isLocalRequest, isOwnOrigin, SAFE_METHODS } from "./origin.ts";
import { padResponses } from "./padding.ts";
import type { PageTags } from "./page-keys.ts";
import { contentSecurityPolicy, NOTHING_INLINE, securityHeaders } from "./security-headers.ts";

/** Data of a request for handlers. `peer` is the connection's IP. A render for the page cache has tags and no user. */
export type ShellEnv = { Variables: { own: RequestContext }; Bindings: { peer: string; shared?: PageTags } };
export type Shell = Hono<ShellEnv>;

/** Pages that message each other across windows, which the usual COOP header would prevent. */
const PAYMENT_PAGES = /^\/planes(\/|$)/;
/** The help lines: their page as a document and as data for the router, the page for lost connections, the API. */
export const HELP_LINES = /^\/(ayuda(\.data)?\/?|sin-conexion|api\/help-lines(\/all)?)$/;
const HELP_SESSION_TIMEOUT_MS = 1_000;
const HEALTH_TIMEOUT_MS = 1_500;
/** Cookie of a browser that has just written. A replica may be late for it. */
const WRITER_COOKIE = "wrote";
/** One-click unsubscribe of a mail program, without cookie or origin (RFC 8058). The token authorises it. */
const UNSUBSCRIBE_PAGE = /^\/baja\/[\w-]{43}$/;

/** Refuses a request before an operation or a page runs. Pages contain few error texts, so it includes the text. */
const errorResponseFor = (error: AppError, path: string) =>
  errorResponse(error, path.startsWith("/api/") ? error.body : withMessage(error.body));

/** Resolves with null if the promise is slower or fails. */
const withTimeout = <Value>(promise: Promise<Value>, milliseconds: number) =>
  Promise.race([promise, setTimeout(milliseconds, null, { ref: false })]).catch(() => null);

/** @param settled waits until the page cache knows all changes; no response to a write is sent before */
export function openShell({ config, log, pool }: Context, settled: () => Promise<void> | undefined): Shell {
  const headers = securityHeaders(config);
  const app: Shell = new Hono<ShellEnv>();

  app.use(async (c, next) => {
    await next();
    if (!SAFE_METHODS.has(c.req.method)) await settled();
    // A page may set a stricter referrer policy; it can change no other header.
    for (const [name, value] of Object.entries(headers))
      if (name !== "referrer-policy" || !c.res.headers.has(name)) c.res.headers.set(name, value);
    if (PAYMENT_PAGES.test(c.req.path)) c.res.headers.set("cross-origin-opener-policy", "unsafe-none");
    if (!c.res.headers.has("content-security-policy"))
      c.res.headers.set("content-security-policy", contentSecurityPolicy(NOTHING_INLINE, false));
    for (const cookie of c.get("own")?.cookies.outgoing ?? []) c.res.headers.append("set-cookie", cookie);
  });

  app.use(compress());
  app.use(padResponses());

  app.onError((error, c) => {
    const known = asAppError(error, log, "shell");
    const forPage = c.req.method === "GET" || !c.req.path.startsWith("/api/");
    const forReading = forPage && c.req.header("accept")?.includes("text/html");
    return forReading ? errorPage(known, withMessage(known.body).words!) : errorResponseFor(known, c.req.path);
  });

  app.get("/healthz", async (c) => {
    const isUp = await withTimeout(pool.query("select 1"), HEALTH_TIMEOUT_MS);
    return isUp ? c.json({ status: "ok" }) : c.json({ status: "unavailable" }, 503);
  });

  return app;
}

/** Checks the origin and resolves the session of all requests after this point. */
export function resolveRequests(app: Shell, context: Context): void {
  const { config, replicaDb } = context;
  const reading = replicaDb && { ...context, publicDb: replicaDb };
  const secure = config.publicUrl.protocol === "https:";
  app.use(async (c, next) => {
    const request = c.req.raw;
    const isWrite = !SAFE_METHODS.has(request.method);
    const isUnsubscribe = request.method === "POST" && UNSUBSCRIBE_PAGE.test(c.req.path);
    if (isWrite && !isUnsubscribe && !isOwnOrigin(request, config))
      return errorResponseFor(new AppError("cross_origin_request"), c.req.path);
    const cookies = openCookieJar(request.headers.get("cookie"), secure);
    // The page cache drops a page when it is notified of a change. A replica may not have the change yet.
    const fromReplica = reading && !isWrite && !c.env.shared && !cookies.get(WRITER_COOKIE);
    // Set it even if the write fails, because its outcome may be unknown.
    if (reading && isWrite) cookies.set(WRITER_COOKIE, "1", { maxAge: WRITER_SECONDS });
    const own: RequestContext = {
      context: fromReplica ? reading : context,
      session: null,
      address: clientIp(c.env.peer, request.headers, config),
      isLocal: isLocalRequest(c.env.peer, request.headers),
      userAgent: request.headers.get("user-agent") ?? "",
      cookies,
    };
    c.set("own", own);
    const session = resolveSession(context, cookies);
    // The help lines need no database: they also work while it is down or hangs.
    own.session = await (HELP_LINES.test(c.req.path) ? withTimeout(session, HELP_SESSION_TIMEOUT_MS) : session);
    await next();
  });
}
