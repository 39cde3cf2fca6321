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
function pageQuery({ searchParams }: URL): string {
  const known = new Map<string, string>();
  for (const [name, value] of searchParams) if (PAGE_PARAMETERS.has(name) && !known.has(name)) known.set(name, value);
  return known.size ? `?${new URLSearchParams([...known])}` : "";
}

/** Builds a page's request for the router: with the configured origin, a known query and no body, which was read before. */
export function internalRequest(request: Request, { publicUrl }: Config): Request {
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
