import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import * as build from "virtual:react-router/server-build";
import { serveStatic } from "@hono/node-server/serve-static";
import { OpenAPIHandler } from "@orpc/openapi/fetch";
import { createRouterClient, ORPCError } from "@orpc/server";
import { Hono, type Context as HonoContext } from "hono";
import { compress } from "hono/compress";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { pageContext, said } from "#app/lib/api.server.ts";
import { contract } from "#shared/contract.ts";
import { AppError } from "#shared/errors.ts";
import { ensureDeviceCookie } from "./accounts/known-devices.ts";
import { presentViewer } from "./accounts/present.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { resolveSession } from "./accounts/sessions.ts";
import { answerRoutes, replyRoutes } from "./answers/routes.ts";
import { bodyLimit, isForm, isPhotoUpload, limitUploads, readBody, readForm, requireUtf8, WEBHOOK } from "./body.ts";
import type { Config } from "./config.ts";
import { consultationRoutes } from "./consultations/routes.ts";
import { contactRoutes, inboxRoutes } from "./contact/routes.ts";
import { type Context, type ContextOverrides, openContext } from "./context.ts";
import { loadDemo } from "./demo/load.ts";
import { fairQueue, type Sender } from "./fair-queue.ts";
import { asAppError, errorBody, errorHeaders, errorPage, errorResponse, statusOf } from "./http.ts";
import { startWorkers } from "./jobs.ts";
import { runCancellation, sweepPayments } from "./memberships/jobs.ts";
import { funnelRoutes, membershipRoutes, paymentRoutes, testPaymentRoutes } from "./memberships/routes.ts";
import { receiveWebhook } from "./memberships/webhooks.ts";
import { purgeRemoval } from "./moderation/jobs.ts";
import { adminRoutes } from "./moderation/routes.ts";
import { housekeeping, sendMail } from "./notifications/jobs.ts";
import { demoRoutes } from "./notifications/routes.ts";
import { openApiDocument } from "./openapi.ts";
import { sweepAnonymisedTexts } from "./own-data/jobs.ts";
import { ownDataRoutes } from "./own-data/routes.ts";
import { psychologistRoutes } from "./psychologists/routes.ts";
import { senderOf } from "./rate-limits.ts";
import { type Request as OwnRequest, openCookieJar } from "./request.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { api } from "./routes.ts";
import { safetyRoutes } from "./safety/routes.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import {
  contentSecurityPolicy,
  inlineScriptHashes,
  isLocalRequest,
  isOwnOrigin,
  paypalHosts,
  securityHeaders,
} from "./security.ts";
import { removeUnusedFile } from "./uploads/jobs.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { photoKey } from "./uploads/rules.ts";

const router = api.router({
  accounts: accountRoutes,
  ownData: ownDataRoutes,
  secondFactor: secondFactorRoutes,
  consultations: consultationRoutes,
  answers: answerRoutes,
  replies: replyRoutes,
  reviews: reviewRoutes,
  psychologists: psychologistRoutes,
  uploads: uploadRoutes,
  safety: safetyRoutes,
  contact: contactRoutes,
  memberships: membershipRoutes,
  testPayments: testPaymentRoutes,
  inbox: inboxRoutes,
  payments: paymentRoutes,
  funnel: funnelRoutes,
  admin: adminRoutes,
  demo: demoRoutes,
});

/** Paths and methods of the contract, to distinguish a wrong method (405) from a wrong path (404). */
const operations = Object.values(contract).flatMap((group) =>
  Object.values(group).map((procedure) => {
    const { method = "GET", path = "/" } = procedure["~orpc"].route;
    return { method, pattern: new RegExp(`^/api${path.replace(/\{[^}]+\}/g, "[^/]+")}$`) };
  }),
);

/** The plans screen and the payment pages message each other across windows, which the usual COOP header would prevent. */
const PAYMENT_PAGES = /^\/planes(\/|$)/;
/** The document with PayPal's button. */
const PLANS_PAGE = /^\/planes\/?$/;
/** The help page, as a document and as data for the router. */
const HELP_PAGE = /^\/ayuda(\.data)?\/?$/;
const HELP_SESSION_TIMEOUT_MS = 1_000;
/** One-click unsubscribe by a mail program, without cookie or origin (RFC 8058): the token authorises it. */
const UNSUBSCRIBE_PAGE = /^\/baja\/[\w-]{43}$/;
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const EMPTY_JSON = new TextEncoder().encode("{}");
const BODY_TYPES = /^application\/json\s*(;|$)/i;

export type App = {
  fetch(request: Request, peer: string): Promise<Response>;
  context: Context;
  close(): Promise<void>;
};
export type AppOptions = {
  config: Config;
  databaseUrl: string;
  overrides?: ContextOverrides;
  development?: boolean;
  workers?: boolean;
  clientFolder: string;
};

/** Only a configured proxy may set the client's address; the last one in the header is the one that it saw. */
function senderAddress(peer: string, headers: Headers, config: Config): string {
  const plain = peer.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!config.trustedProxies.includes(plain)) return plain;
  const told = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return isIP(told) ? told : plain;
}

/**
 * The response that refuses a request before an operation or a page runs. Pages contain few error texts, so theirs are sent
 * along.
 */
const refusalResponse = (error: AppError, path: string) =>
  errorResponse(error, path.startsWith("/api/") ? errorBody(error) : said(errorBody(error)));

const isUnsubscribe = (request: Request) =>
  request.method === "POST" && UNSUBSCRIBE_PAGE.test(new URL(request.url).pathname);

/** A path that the router can decode, since it logs those that it cannot. No page has a path of the other kind. */
function decodablePath(pathname: string): string {
  try {
    // The result is used, since the bundler removes a call whose result is not.
    return decodeURIComponent(decodeURIComponent(pathname)) && pathname;
  } catch {
    return pathname.replaceAll("%", "-");
  }
}

/**
 * The request as the handlers see it: with the configured origin, whatever its Host header says, and with the body that was
 * read already. Its own origin was checked before.
 */
function internalRequest(request: Request, config: Config, body: Uint8Array<ArrayBuffer> | null): Request {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", config.publicUrl.host);
  for (const name of ["x-forwarded-host", "x-forwarded-proto", "transfer-encoding", "content-length"])
    headers.delete(name);
  if (!SAFE_METHODS.has(request.method)) headers.set("origin", config.publicUrl.origin);
  if (body) headers.set("content-length", String(body.length));
  return new Request(config.publicUrl.origin + decodablePath(pathname) + search, {
    // HEAD is handled as GET; the body is dropped afterwards.
    method: request.method === "HEAD" ? "GET" : request.method,
    headers,
    body,
    signal: request.signal,
  });
}

/** What a promise resolves with, or null after a timeout. Its later result is ignored. */
async function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Reads that skip the queue, unless one sender sends many: help lines, and the session, which every open tab requests. */
const URGENT_READS = /^\/api\/(help-lines(\/all)?|session)$/;
/**
 * Rendering a page takes some ten turns of the event loop, and each waits for whatever else runs: so one at a time is
 * fastest for all, and more are started only while the thread is idle (while they wait for the database). A queued request
 * costs some kilobytes.
 */
const READ_QUEUE = { concurrency: 1, queueLimit: 2000, urgentIntervalMs: 500, retryAfterSeconds: 5 };
/**
 * Writes have a queue of their own: one that is refused before any rate limit costs the thread as much as one that
 * succeeds. A write spends most of its time in the database, where some at once do not delay each other.
 */
const WRITE_QUEUE = { ...READ_QUEUE, concurrency: 4 };

/** The sender of a request in the queue: the account, else the address, within which each browser is separate. */
function queueSender({ session, address, userAgent, cookies }: OwnRequest): Sender {
  if (session) return [`account ${session.viewer.id}`];
  const browser = createHash("sha256")
    .update(`${userAgent}\n${cookies.get("device") ?? ""}`)
    .digest("base64url");
  return [`address ${senderOf(address)}`, browser];
}

type Shell = { Variables: { own: OwnRequest }; Bindings: { peer: string } };

/** Builds the whole application: API, pages, workers. The only entry of the server build. */
export async function openApp({
  config,
  databaseUrl,
  overrides,
  development = false,
  workers = true,
  clientFolder,
}: AppOptions): Promise<App> {
  const context = await openContext(config, databaseUrl, overrides);
  const { log } = context;
  const headers = securityHeaders(config);
  const secure = config.publicUrl.protocol === "https:";

  /** Converts every error of an operation to one of the product's, for the API and for pages. */
  const known = (where: string, error: unknown) => {
    const appError = asAppError(error, log, where);
    return new ORPCError(appError.code, { status: statusOf(appError), data: appError, cause: appError });
  };
  const handler = new OpenAPIHandler(router, {
    clientInterceptors: [
      async ({ next, path }) => {
        try {
          return await next();
        } catch (error) {
          throw known(path.join("."), error);
        }
      },
    ],
    customErrorResponseBodyEncoder: (error) => errorBody(asAppError(error, log, "api")),
  });
  const handle = createRequestHandler(build as unknown as ServerBuild, development ? "development" : "production");

  const app = new Hono<Shell>();

  app.use(async (c, next) => {
    await next();
    // A page may set a stricter referrer policy; it can change no other header.
    for (const [name, value] of Object.entries(headers))
      if (name !== "referrer-policy" || !c.res.headers.has(name)) c.res.headers.set(name, value);
    if (PAYMENT_PAGES.test(c.req.path)) c.res.headers.set("cross-origin-opener-policy", "unsafe-none");
    if (!c.res.headers.has("content-security-policy"))
      c.res.headers.set("content-security-policy", contentSecurityPolicy([], false));
    for (const cookie of c.get("own")?.cookies.outgoing ?? []) c.res.headers.append("set-cookie", cookie);
  });

  app.use(compress());

  app.get("/healthz", async (c) => {
    try {
      await context.pool.query("select 1");
      return c.json({ status: "ok" });
    } catch {
      return c.json({ status: "unavailable" }, 503);
    }
  });

  // Photos are always served from here, wherever they are stored: only their keys can be requested, and the content type is
  // fixed.
  app.get("/avatars/*", async (c) => {
    const key = photoKey(c.req.path);
    const photo =
      key &&
      (await context.storage.get(key).catch((error: Error) => {
        log.warn({ event: "storage_unavailable", reason: error.name });
        throw new AppError("unavailable", { facts: { retry_after_seconds: 5 } });
      }));
    if (!photo) return errorResponse(new AppError("not_found"));
    return c.body(new Uint8Array(photo), 200, {
      "content-type": "image/webp",
      "content-length": String(photo.length),
      "content-disposition": 'attachment; filename="avatar.webp"',
      "cache-control": "public, max-age=3600",
    });
  });

  if (!development) {
    app.use(
      "/assets/*",
      serveStatic({
        root: clientFolder,
        precompressed: true,
        onFound: (_path, c) => c.header("cache-control", "public, max-age=31536000, immutable"),
      }),
    );
    app.use("/*", async (c, next) =>
      /^\/[\w-]+\.(?:svg|png|ico|txt|webmanifest)$/.test(c.req.path)
        ? serveStatic({
            root: clientFolder,
            onFound: (_path, inner) => inner.header("cache-control", "public, max-age=3600"),
          })(c, next)
        : next(),
    );
  }

  // Before the cookie and origin checks: webhooks are authorised by their signature.
  app.post("/api/webhooks/:service{paypal|mercadopago}", async (c) => {
    const request = c.req.raw;
    await context.rateLimits.spend("webhook", { address: senderAddress(c.env.peer, request.headers, config) });
    const body = (await readBody(request, WEBHOOK)) ?? new Uint8Array();
    const status = await receiveWebhook(context, c.req.param("service") as "paypal", request, body);
    return new Response(null, { status, headers: { "cache-control": "no-store" } });
  });

  app.use(async (c, next) => {
    const request = c.req.raw;
    if (!SAFE_METHODS.has(request.method) && !isUnsubscribe(request) && !isOwnOrigin(request, config))
      return refusalResponse(new AppError("foreign_origin"), c.req.path);
    const cookies = openCookieJar(request.headers.get("cookie"), secure);
    const address = senderAddress(c.env.peer, request.headers, config);
    const userAgent = request.headers.get("user-agent") ?? "";
    const isLocal = isLocalRequest(c.env.peer, request.headers);
    const own: OwnRequest = { context, session: null, address, isLocal, userAgent, cookies };
    c.set("own", own);
    const session = resolveSession(context, cookies);
    // The help page needs no database: it does not wait for one that is down or hangs, signed in or not.
    own.session = HELP_PAGE.test(c.req.path)
      ? await withTimeout(session, HELP_SESSION_TIMEOUT_MS).catch(() => null)
      : await session;
    await next();
  });

  const readQueue = fairQueue(READ_QUEUE);
  const writeQueue = fairQueue(WRITE_QUEUE);

  let openApiText: string | undefined;
  app.get("/api/openapi.json", (c) =>
    readQueue.run(queueSender(c.get("own")), c.req.raw.signal, async () => {
      openApiText ??= JSON.stringify(await openApiDocument(config.publicUrl.origin));
      return c.body(openApiText, 200, { "content-type": "application/json" });
    }),
  );

  app.all("/api/*", async (c, next) => {
    if (c.req.path === "/api/docs" || c.req.path === "/api/docs.data") return next();
    const own = c.get("own");
    const path = c.req.path;
    const allowed = operations.filter((operation) => operation.pattern.test(path)).map((operation) => operation.method);
    if (!allowed.length) return errorResponse(new AppError("not_found"));
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    if (!allowed.includes(method as never)) {
      const refused = errorResponse(new AppError("method_not_allowed"));
      refused.headers.set("allow", [...new Set(allowed)].join(", "));
      return refused;
    }
    const type = c.req.header("content-type");
    const { response } = await limitUploads(c.req.raw, own, async () => {
      const body = await readBody(c.req.raw, bodyLimit(c.req.raw, own));
      const photo = isPhotoUpload(c.req.raw) ? await readForm(body, type) : null;
      if (body && !photo) {
        if (!BODY_TYPES.test(type ?? "")) throw new AppError("unsupported_media_type");
        requireUtf8(body);
      }
      // An empty body means an operation without input, whatever content type it declares.
      const request = internalRequest(c.req.raw, config, photo || method === "GET" ? null : (body ?? EMPTY_JSON));
      if (!photo && !body) request.headers.set("content-type", "application/json");
      if (photo) request.formData = () => Promise.resolve(photo);
      const answer = () => handler.handle(request, { prefix: "/api", context: { request: own } });
      const runQueued =
        method !== "GET" ? writeQueue.run : URGENT_READS.test(path) ? readQueue.runUrgent : readQueue.run;
      return runQueued(queueSender(own), c.req.raw.signal, answer);
    });
    const answer = response ?? errorResponse(new AppError("not_found"));
    const result = new Response(answer.body, answer);
    result.headers.set("cache-control", "private, no-store");
    if (!response?.ok && result.headers.get("content-type")?.includes("json")) {
      const body = (await result.clone().json()) as ReturnType<typeof errorBody>;
      for (const [name, value] of Object.entries(errorHeaders(new AppError(body.code, { facts: body.facts }))))
        result.headers.set(name, value);
    }
    return result;
  });

  /** A page, or the response of its action to a form, rendered when it is the sender's turn. */
  const renderInTurn = (c: HonoContext<Shell>, form: FormData | null): Promise<Response> =>
    (HELP_PAGE.test(c.req.path) ? readQueue.runUrgent : readQueue.run)(
      queueSender(c.get("own")),
      c.req.raw.signal,
      () => render(c, form),
    );

  const render = async (c: HonoContext<Shell>, form: FormData | null): Promise<Response> => {
    const own = c.get("own");
    const client = createRouterClient(router, {
      context: () => ({ request: own }),
      interceptors: [
        async ({ next, path }) => {
          try {
            return await next();
          } catch (error) {
            throw known(path.join("."), error);
          }
        },
      ],
    });
    const { paypal } = config;
    const button =
      paypal && PLANS_PAGE.test(c.req.path)
        ? { hosts: paypalHosts(paypal), nonce: randomBytes(16).toString("base64url") }
        : null;
    const provider = new RouterContextProvider();
    provider.set(pageContext, {
      api: client,
      viewer: () => own.session && presentViewer(own.session),
      sessionEndsAt: () => own.session?.endsAt.toISOString() ?? null,
      now: context.now(),
      form,
      cookies: own.cookies,
      ensureDeviceCookie: () => ensureDeviceCookie(own.cookies),
      publicUrl: config.publicUrl.origin,
      donationUrl: config.donationUrl,
      demo: config.demo,
      sendsMail: context.mailer !== null,
      isDocument: !c.req.path.endsWith(".data"),
      scriptNonce: button?.nonce ?? null,
      openApi: () => openApiDocument(config.publicUrl.origin),
      failed: (error: unknown) => asAppError(error, log, c.req.routePath),
    });
    const response = await handle(internalRequest(c.req.raw, config, null), provider);
    const result = new Response(response.body, response);
    // A signed-in user's page is private; a visitor's may be revalidated at any time.
    result.headers.set("cache-control", own.session || own.cookies.outgoing.length ? "private, no-store" : "no-cache");
    result.headers.append("vary", "Cookie");
    if (!result.headers.get("content-type")?.startsWith("text/html")) return result;
    const html = await result.text();
    const page = new Response(c.req.method === "HEAD" ? null : html, {
      status: result.status,
      headers: result.headers,
    });
    page.headers.set("content-security-policy", contentSecurityPolicy(inlineScriptHashes(html), development, button));
    return page;
  };

  app.all("*", async (c) => {
    const own = c.get("own");
    const { method, raw } = c.req;
    if (!["GET", "HEAD", "POST"].includes(method)) {
      const refused = errorResponse(new AppError("method_not_allowed"));
      refused.headers.set("allow", "GET, HEAD, POST");
      return refused;
    }
    if (method !== "POST") return renderInTurn(c, null);
    const type = c.req.header("content-type");
    return limitUploads(raw, own, async () => {
      const body = await readBody(raw, bodyLimit(raw, own));
      if (body && !isForm(type)) throw new AppError("unsupported_media_type");
      return renderInTurn(c, await readForm(body, type));
    }).catch((error: unknown) => {
      // A browser without JavaScript is redirected to the form, with the error's text.
      if (error instanceof AppError && isPhotoUpload(raw) && !c.req.path.endsWith(".data"))
        return c.redirect(`/perfil/foto?error=${error.code}`, 303);
      throw error;
    });
  });

  app.onError((error, c) => {
    const known = asAppError(error, log, "shell");
    const forPage = c.req.method === "GET" || !c.req.path.startsWith("/api/");
    const forReading = forPage && c.req.header("accept")?.includes("text/html");
    return forReading ? errorPage(known, said(errorBody(known)).words!) : refusalResponse(known, c.req.path);
  });

  if (workers)
    await startWorkers(context.boss, {
      mail: (job) => sendMail(context, job),
      housekeeping: () => housekeeping(context),
      unusedFile: (job) => removeUnusedFile(context, job),
      paymentSweep: () => sweepPayments(context),
      cancellation: (job) => runCancellation(context, job),
      anonymisedTexts: () => sweepAnonymisedTexts(context),
      removal: (job) => purgeRemoval(context, job),
    });

  return {
    context,
    fetch: async (request, peer) => app.fetch(request, { peer }),
    close: () => context.close(),
  };
}

export { asAppError, loadDemo };
