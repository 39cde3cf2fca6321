import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { pageContext } from "#app/lib/page-request.server.ts";

/**
 * Renders a page whole: the policy of a document names its inline scripts, so nothing may be added later. What fails is
 * logged by `asAppError`, which chooses what of an error is written down.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  let failed: unknown;
  const stream = await renderToReadableStream(<ServerRouter context={routerContext} url={request.url} />, {
    signal: request.signal,
    onError: (error) => {
      failed = error;
    },
  });
  await stream.allReady;
  if (failed && !request.signal.aborted) context.get(pageContext).asAppError(failed);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(stream, { status, headers });
}

/** Logs a fault of a page: loaders and actions answer with data for every error they know. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A form sent to a page that takes none (405) is not worth a line: anyone can send thousands.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(pageContext).asAppError(error);
};
