import { buffer } from "node:stream/consumers";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { type PageContext, pageContext } from "#app/lib/page-request.server.ts";
import { SharedMarkup } from "#app/lib/shared-markup.ts";
import { isTheme, THEME_COOKIE } from "#app/lib/theme.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

/** Maximum number of cached fragments: about 25 feeds of 20 cards, at 2 kB per card. */
const MAX_STORED = 500;
const stored = new LRUCache<string, string>({ max: MAX_STORED });

function renderShared(key: string, children: ReactElement): string {
  const markup = stored.get(key) ?? renderToString(children);
  stored.set(key, markup);
  return markup;
}

/** Colours of the browser's frame: `--ground` of app/ui/tokens.css. */
const FRAME = { light: "#f3ece2", dark: "#1a1714" };

function imageTags(url: string, title: string): string[] {
  const { origin, pathname } = new URL(url);
  if (!/^\/(consulta|psicologo)\//.test(pathname)) return ['<meta name="twitter:card" content="summary"/>'];
  return [
    property("image", `${origin}/imagen${pathname}.png`),
    property("image:type", "image/png"),
    property("image:width", "1200"),
    property("image:height", "630"),
    property("image:alt", title),
    '<meta name="twitter:card" content="summary_large_image"/>',
  ];
}

const property = (name: string, content: string) => `<meta property="og:${name}" content="${content}"/>`;

function linkPreview(head: string): string[] {
  const [, title = ""] = /<title>([^<]*)/.exec(head) ?? [];
  const [, description] = /<meta name="description" content="([^"]*)/.exec(head) ?? [];
  const [, url] = /<link rel="canonical" href="([^"]*)/.exec(head) ?? [];
  if (description === undefined || url === undefined) return [];
  return [
    property("site_name", PRODUCT_NAME),
    property("type", "website"),
    property("locale", "es_LA"),
    property("title", title.replace(` · ${PRODUCT_NAME}`, "")),
    property("description", description),
    property("url", url),
    ...imageTags(url, title),
  ];
}

/** React ignores unknown tags at the ends of head and body, so no browser loads code for them. */
function withServerTags(html: Buffer<ArrayBuffer>, { cookies, structuredData }: PageContext): Buffer<ArrayBuffer> {
  const headEnd = html.indexOf("</head>");
  const bodyEnd = html.lastIndexOf("</body>");
  if (headEnd < 0 || bodyEnd < 0) return html;
  const chosen = cookies.plain(THEME_COOKIE);
  const frame = isTheme(chosen)
    ? [`<meta name="theme-color" content="${FRAME[chosen]}"/>`]
    : (["light", "dark"] as const).map(
        (theme) => `<meta name="theme-color" media="(prefers-color-scheme: ${theme})" content="${FRAME[theme]}"/>`,
      );
  const tags = [
    // A failed registration only leaves the page without the offline page.
    '<script>navigator.serviceWorker?.register("/sw.js").catch(()=>{})</script>',
    ...linkPreview(html.toString("utf8", 0, headEnd)),
    '<meta name="color-scheme" content="light dark"/>',
    ...frame,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<link rel="manifest" href="/manifest.webmanifest"/>',
    '<link rel="apple-touch-icon" href="/icon-180.png"/>',
    `<link rel="alternate" type="application/atom+xml" title="${PRODUCT_NAME}" href="/feed.xml"/>`,
  ];
  const graph = JSON.stringify({ "@context": "https://schema.org", "@graph": structuredData });
  const script = structuredData.length
    ? // "<" in a text of a user must not end the script.
      `<script type="application/ld+json">${graph.replaceAll("<", "\\u003c")}</script>`
    : "";
  return Buffer.concat([
    html.subarray(0, headEnd),
    Buffer.from(tags.join("")),
    html.subarray(headEnd, bodyEnd),
    Buffer.from(script),
    html.subarray(bodyEnd),
  ]);
}

/**
 * Renders without streaming, because the CSP header lists the hashes of all inline scripts. `asAppError` logs errors,
 * because it selects which parts of an error are logged.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  const ctx = context.get(pageContext);
  let failed: unknown;
  const page = (
    <SharedMarkup value={renderShared}>
      <ServerRouter context={routerContext} url={request.url} />
    </SharedMarkup>
  );
  const { prelude } = await prerenderToNodeStream(page, {
    signal: request.signal,
    // React would move parts of a long page to its end, where only scripts put them in place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      failed = error;
    },
  });
  const html = await buffer(prelude);
  // The document of an aborted request is empty. Another request must not get it.
  request.signal.throwIfAborted();
  if (failed) ctx.asAppError(failed);
  ctx.takeDocument(withServerTags(html, ctx));
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(null, { status, headers });
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Do not log a 405: visitors could fill the log with it.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(pageContext).asAppError(error);
};
