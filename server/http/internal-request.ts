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

/** Parameters that pages read, and the router's own. */
const PAGE_PARAMETERS = new Set(
  `cancelar categoria collection_status comentario comentarios cursor datos desde despues dias enviado error estado gold
  hasta index modo orden otra pais plan q respuesta siempre status terminar tipo token vista volver _routes`.split(
    /\s+/,
  ),
);
/** The query of a page without unknown and repeated parameters, so that no page can repeat one (docs/decisions/0017). */
export function pageQuery({ searchParams }: URL): string {
  const known = new Map<string, string>();
  for (const [name, value] of searchParams) if (PAGE_PARAMETERS.has(name) && !known.has(name)) known.set(name, value);
  return known.size ? `?${new URLSearchParams([...known])}` : "";
}

/**
 * The request as the handlers see it: with the configured origin, whatever its Host header says, and with the body that was
 * read already. Its own origin was checked before.
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
  for (const name of ["x-forwarded-host", "x-forwarded-proto", "transfer-encoding", "content-length"])
    headers.delete(name);
  if (!SAFE_METHODS.has(request.method)) headers.set("origin", config.publicUrl.origin);
  if (body) headers.set("content-length", String(body.length));
  return new Request(config.publicUrl.origin + decodablePath(url.pathname) + queryOf(url), {
    // HEAD is handled as GET; the body is dropped afterwards.
    method: request.method === "HEAD" ? "GET" : request.method,
    headers,
    body,
    signal: request.signal,
  });
}
