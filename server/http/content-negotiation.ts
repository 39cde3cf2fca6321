import { parseAccept } from "hono/utils/accept";

export type Encoding = "br" | "gzip";

/** Returns the encodings that a request names and accepts (RFC 9110, section 12.5.3). `q=0` refuses one. */
export const acceptedEncodings = (accept = ""): Set<string> =>
  new Set(parseAccept(accept.toLowerCase()).flatMap(({ type, q }) => (q > 0 ? [type] : [])));

export function acceptedEncoding(accept: string | undefined): Encoding | "identity" {
  const accepted = acceptedEncodings(accept);
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : "identity";
}

/**
 * True if the browser has this version.
 * @param given If-None-Match of the request
 */
export function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  const weak = (one: string) => one.trim().replace(/^W\//, "");
  return given.trim() === "*" || given.split(",").some((one) => weak(one) === weak(etag));
}
