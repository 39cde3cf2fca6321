import type { Config } from "../config.ts";

/** Methods that change nothing. */
export const SAFE_METHODS = new Set(["GET", "HEAD"]);

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
export function internalRequest(request: Request, config: Config, body: Uint8Array<ArrayBuffer> | null): Request {
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
