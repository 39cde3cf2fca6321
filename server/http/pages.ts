/** The pages, rendered by React Router. They call the operations of the API in process. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import type { Context as HonoContext } from "hono";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type PageContext, pageContext } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import { minuteOf } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { ensureDeviceCookie } from "../sessions/known-devices.ts";
import { presentViewer } from "../sessions/present.ts";
import { type ApiRouter, knownErrors, openApiDocument } from "./api.ts";
import { bodyLimit, isForm, isPhotoUpload, limitUploads, readBody, readForm } from "./body.ts";
import { asAppError, methodNotAllowed } from "./errors.ts";
import { responseWith } from "./known-body.ts";
import { SAFE_METHODS } from "./origin.ts";
import type { ReadOnce } from "./page-cache.ts";
import { collectTags } from "./page-keys.ts";
import { contentSecurityPolicy, inlineScriptHashes, paypalHosts } from "./security-headers.ts";
import { limitSender } from "./sender-limits.ts";
import type { Shell, ShellEnv } from "./shell.ts";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
/** Operation with the largest part of the most requested page, equal for all users. */
const FEED = "consultations.list";
/** Cached pages with inline style sheets. On thousands of consultations they would fill the cache. */
const PAINTED_AT_ONCE = /^\/(home|ayuda|sin-conexion)?$/;
const STYLE_SHEET = /<link rel="stylesheet" href="([^"#]+)#?"[^>]*>/g;
const PLANS_PAGE = /^\/planes\/?$/;

type PageParts = { build: ServerBuild; development: boolean; readOnce: ReadOnce; clientFolder: string };

type FailureWords = ReturnType<PageContext["failureWords"]>;

function failureWordsOf({ routes }: ServerBuild): Map<string, FailureWords> {
  const words = new Map<string, FailureWords>();
  for (const route of Object.values(routes)) {
    const handle = route?.module.handle as { failed?: FailureWords } | undefined;
    if (handle?.failed) words.set(route?.path ?? "/", handle.failed);
  }
  return words;
}

/** Returns a path that the router can decode, because the router logs others. */
function decodablePath(pathname: string): string {
  try {
    // Use the result: the bundler removes a call whose result is unused.
    return decodeURIComponent(decodeURIComponent(pathname)) && pathname;
  } catch {
    return pathname.replaceAll("%", "-");
  }
}

const PAGE_PARAMETERS = new Set(
  `cancelar categoria collection_status comentario comentarios cursor datos desde dias enviado error estado gold
  hasta index modo orden otra pais payment_id plan q respuesta respuestas siempre status terminar tipo token vista
  volver _routes`.split(/\s+/),
);
/** A page's query without unknown and repeated parameters, so that no page can repeat one (docs/decisions/0017). */
function pageQuery({ searchParams }: URL): string {
  const known = new Map<string, string>();
  for (const [name, value] of searchParams) if (PAGE_PARAMETERS.has(name) && !known.has(name)) known.set(name, value);
  return known.size ? `?${new URLSearchParams([...known])}` : "";
}

/** Builds a page's request for the router: with the configured origin, a known query and no body, which was read before. */
function internalRequest(request: Request, publicUrl: URL): Request {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", publicUrl.host);
  for (const name of ["transfer-encoding", "content-length"]) headers.delete(name);
  // The shell has checked the own Origin header.
  if (!SAFE_METHODS.has(request.method)) headers.set("origin", publicUrl.origin);
  return new Request(publicUrl.origin + decodablePath(url.pathname) + pageQuery(url), {
    // HEAD runs as GET; the shell removes the body.
    method: request.method === "HEAD" ? "GET" : request.method,
    headers,
    signal: request.signal,
  });
}

/** Style sheets and their hashes, read once: `/` and `/ayuda` must not depend on the disk. */
const sheets = new Map<string, { css: string; hash: string }>();
function sheetOf(path: string) {
  const known = sheets.get(path);
  if (known) return known;
  const css = readFileSync(path, "utf8");
  const sheet = { css, hash: `'sha256-${createHash("sha256").update(css).digest("base64")}'` };
  sheets.set(path, sheet);
  return sheet;
}

/** Changes the head of a document, so that the browser paints a visitor's first one after one round trip. */
function paintFirst(html: Buffer, clientFolder: string, inline: boolean) {
  const end = html.indexOf("</head>");
  const styleHashes: string[] = [];
  let head = html
    .toString("utf8", 0, end)
    // Scripts share the network with fonts and style sheets, which the first paint needs.
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
  if (inline)
    // React hydrates the link. The media query never matches, so the browser fetches the file late, for the next pages.
    head = head.replace(STYLE_SHEET, (link, href: string) => {
      const { css, hash } = sheetOf(join(clientFolder, href));
      styleHashes.push(hash);
      return `<style>${css}</style>${link.replace("<link", '<link media="print"')}`;
    });
  return { document: Buffer.concat([Buffer.from(head), html.subarray(end)]), styleHashes };
}

export function servePages(
  app: Shell,
  context: Context,
  router: ApiRouter,
  { build, development, readOnce, clientFolder }: PageParts,
): void {
  const { config, log } = context;
  const handle = createRequestHandler(build, development ? "development" : "production");
  const failureWords = failureWordsOf(build);
  // A browser that has just written reads from the primary, and not what another one read from a late replica.
  const feedKey = (used: Context, input: unknown) => JSON.stringify([used === context, input]);

  const render = async (c: HonoContext<ShellEnv>, form: FormData | null): Promise<Response> => {
    const own = c.get("own");
    const { shared } = c.env;
    const path = c.req.raw.url.slice(new URL(c.req.raw.url).origin.length);
    const client = createRouterClient(router, {
      context: () => ({ request: own }),
      interceptors: [
        knownErrors(log),
        shared
          ? collectTags(path, shared)
          : ({ path, input, next }) =>
              path.join(".") === FEED ? readOnce(feedKey(own.context, input), async () => next()) : next(),
      ],
    });
    const { paypal } = config;
    const button =
      paypal && PLANS_PAGE.test(c.req.path)
        ? { hosts: paypalHosts(paypal), nonce: randomBytes(16).toString("base64url") }
        : null;
    const provider = new RouterContextProvider();
    let html: Buffer<ArrayBuffer> | null = null;
    provider.set(pageContext, {
      api: client,
      viewer: () => own.session && presentViewer(own.session),
      sessionEndsAt: () => own.session?.endsAt.toISOString() ?? null,
      // An unchanged page has the same bytes for a minute.
      now: shared ? new Date(minuteOf(context.now())) : context.now(),
      form,
      cookies: own.cookies,
      ensureDeviceCookie: () => ensureDeviceCookie(own.cookies),
      publicUrl: config.publicUrl.origin,
      donationUrl: config.donationUrl,
      demo: config.demo,
      showsMails: config.demo && own.isLocal,
      sendsMail: context.mailer !== null,
      isDocument: !c.req.path.endsWith(".data"),
      scriptNonce: button?.nonce ?? null,
      structuredData: [],
      openApi: () => openApiDocument(config.publicUrl.origin),
      takeDocument(document) {
        html = document;
      },
      failureWords: (pattern) => failureWords.get(pattern) ?? {},
      asAppError: (error: unknown) => asAppError(error, log, c.req.routePath),
    });
    const response = await handle(internalRequest(c.req.raw, config.publicUrl), provider);
    const { status } = response;
    const headers = new Headers(response.headers);
    // A signed-in user's page is private; a visitor's may be revalidated at any time.
    headers.set("cache-control", own.session || own.cookies.outgoing.length ? "private, no-store" : "no-cache");
    headers.append("vary", "Cookie");
    if (html === null) return new Response(response.body, { status, headers });
    const { document, styleHashes } = paintFirst(
      html,
      clientFolder,
      shared !== undefined && PAINTED_AT_ONCE.test(c.req.path),
    );
    const hashes = { scripts: inlineScriptHashes(html), styles: styleHashes };
    headers.set("content-security-policy", contentSecurityPolicy(hashes, development, button));
    return responseWith(document, { status, headers });
  };

  app.all("*", async (c) => {
    const own = c.get("own");
    const { method, raw } = c.req;
    if (!PAGE_METHODS.includes(method)) return methodNotAllowed(PAGE_METHODS);
    if (method !== "POST") return limitSender(c, () => render(c, null));
    const type = c.req.header("content-type");
    return limitUploads(raw, own, async () => {
      const body = await readBody(raw, bodyLimit(raw, own));
      if (body && !isForm(type)) throw new AppError("unsupported_media_type");
      const form = await readForm(body, type);
      return limitSender(c, () => render(c, form));
    }).catch((error: unknown) => {
      // Redirects a browser without JavaScript to the form with the error's text.
      if (error instanceof AppError && isPhotoUpload(raw) && !c.req.path.endsWith(".data"))
        return c.redirect(`/perfil/foto?error=${error.code}`, 303);
      throw error;
    });
  });
}
