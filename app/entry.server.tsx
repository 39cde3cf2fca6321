import { Writable } from "node:stream";
import { LRUCache } from "lru-cache";
import type { ReactElement, ReactNode } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { pageContext } from "#app/lib/page-request.server.ts";
import { SharedMarkup } from "#app/lib/shared-markup.ts";

/** Maximum number of cached fragments: about 25 feeds of 20 cards, at 2 kB per card. */
const MAX_STORED = 500;
const stored = new LRUCache<string, string>({ max: MAX_STORED });

function renderShared(key: string, children: ReactElement): string {
  const markup = stored.get(key) ?? renderToString(children);
  stored.set(key, markup);
  return markup;
}

/** Renders elements after all their data has loaded. @throws Error if rendering fails */
const renderWhole = (elements: ReactNode, signal: AbortSignal, onError: (error: unknown) => void) =>
  new Promise<Buffer<ArrayBuffer>>((done, fail) => {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, next) {
        chunks.push(chunk);
        next();
      },
      final(next) {
        done(Buffer.concat(chunks));
        next();
      },
    });
    const { pipe, abort } = renderToPipeableStream(elements, {
      onAllReady: () => void pipe(sink),
      onShellError: fail,
      onError,
    });
    const stop = () => abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/**
 * Renders a whole page. It does not stream, because the CSP header lists the hashes of all inline scripts. `asAppError`
 * logs errors, because it selects which parts of an error are logged.
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
  const html = await renderWhole(page, request.signal, (error) => {
    failed = error;
  });
  if (failed && !request.signal.aborted) ctx.asAppError(failed);
  ctx.takeDocument(html);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(null, { status, headers });
}

/** Logs unexpected errors of a page. Known errors are returned as data. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Do not log a 405: visitors could fill the log with it.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(pageContext).asAppError(error);
};
