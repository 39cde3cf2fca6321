export type Encoding = "br" | "gzip";

/** Largest number of cached headers. Browsers send fewer than 10 different ones. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, Encoding | "identity">();

function read(accept: string): Encoding | "identity" {
  const accepted = new Set(
    accept.split(",").flatMap((part) => {
      const [name = "", ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
    }),
  );
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : "identity";
}

/** Returns the best encoding that a request accepts (RFC 9110, section 12.5.3). `q=0` refuses one. */
export function acceptedEncoding(accept: string | undefined): Encoding | "identity" {
  if (!accept) return "identity";
  const known = remembered.get(accept);
  if (known) return known;
  const encoding = read(accept);
  if (remembered.size < MAX_REMEMBERED) remembered.set(accept, encoding);
  return encoding;
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
