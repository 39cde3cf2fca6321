import type { Config } from "../config.ts";

/** Methods without side effects. */
export const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** Returns a path that the router can decode, because the router logs others. No page has an undecodable path. */
function decodablePath(pathname: string): string {
  try {
    // Use the result: the bundler removes a call whose result is unused.
    return decodeURIComponent(decodeURIComponent(pathname)) && pathname;
  } catch {
    return pathname.replaceAll("%", "-");
  }
}

/** Query parameters of our pages and of the router. */
const PAGE_PARAMETERS = new Set(
  `cancelar categoria collection_status comentario comentarios cursor datos desde dias enviado error estado gold
  hasta index modo orden otra pais payment_id plan q respuesta respuestas siempre status terminar tipo token vista
  volver _routes`.split(/\s+/),
);
/** A page's query without unknown and repeated parameters, so that no page can repeat one (docs/decisions/0017). */
export function pageQuery({ searchParams }: URL): string {
  const known = new Map<string, string>();
  for (const [name, value] of searchParams) if (PAGE_PARAMETERS.has(name) && !known.has(name)) known.set(name, value);
  return known.size ? `?${new URLSearchParams([...known])}` : "";
}

/**
 * Builds the request for handlers: with the configured origin instead of the Host header, and with the body that was
 * already read. Its own Origin header was checked before.
 */
export function internalRequest(
  request: Request,
  config: Config,
  body: Uint8Array<ArrayBuffer> | null,
  queryOf = (url: URL) => url.search,
): Request {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", config.publicUrl.host);
  for (const name of ["transfer-encoding", "content-length"]) headers.delete(name);
  if (!SAFE_METHODS.has(request.method)) headers.set("origin", config.publicUrl.origin);
  if (body) headers.set("content-length", String(body.length));
  return new Request(config.publicUrl.origin + decodablePath(url.pathname) + queryOf(url), {
    // HEAD runs as GET; the shell removes the body.
    method: request.method === "HEAD" ? "GET" : request.method,
    headers,
    body,
    signal: request.signal,
  });
}
