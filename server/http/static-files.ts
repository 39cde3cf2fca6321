/** The files of the build, served from memory on `node:http` before all other handlers. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import type { Config } from "../config.ts";
import { acceptedEncoding, type Encoding, matches } from "./content-negotiation.ts";
import { contentSecurityPolicy, NOTHING_INLINE, securityHeaders } from "./security-headers.ts";

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
const COMPRESSED = new Set([".js", ".css", ".svg"]);

type Variant = { body: Buffer; headers: Record<string, string> };
type StaticFile = Record<Encoding | "identity", Variant>;

function readStaticFile(path: string, caching: string, common: Record<string, string>): StaticFile {
  const extension = extname(path);
  const type = TYPES[extension];
  if (!type) throw new Error(`The build contains a file of an unknown type: ${path}`);
  const whole = readFileSync(path);
  const hash = createHash("sha256").update(whole).digest("base64url").slice(0, 22);
  const variant = (body: Buffer, encoding: Encoding | null): Variant => ({
    body,
    headers: {
      ...common,
      "content-type": type,
      "cache-control": caching,
      etag: `"${hash}${encoding ? `-${encoding}` : ""}"`,
      ...(COMPRESSED.has(extension) ? { vary: "Accept-Encoding" } : {}),
      ...(encoding ? { "content-encoding": encoding } : {}),
    },
  });
  const identity = variant(whole, null);
  if (!COMPRESSED.has(extension)) return { br: identity, gzip: identity, identity };
  const [br, gzip] = [readFileSync(`${path}.br`), readFileSync(`${path}.gz`)];
  return { br: variant(br, "br"), gzip: variant(gzip, "gzip"), identity };
}

/**
 * Reads the files of the build and returns a handler, which passes other requests to `next`.
 * @throws Error if a file's type is not listed here
 */
export function serveStaticFiles(folder: string, config: Config) {
  const common = {
    ...securityHeaders(config),
    "content-security-policy": contentSecurityPolicy(NOTHING_INLINE, false),
  };
  const files = new Map<string, StaticFile>();
  const add = (under: string, caching: string) => {
    for (const entry of readdirSync(join(folder, under), { withFileTypes: true }))
      if (entry.isFile() && ![".br", ".gz"].includes(extname(entry.name)))
        files.set(
          `${under}${entry.name}`,
          readStaticFile(join(folder, under, entry.name), entry.name === "sw.js" ? "no-cache" : caching, common),
        );
  };
  add("/", "public, max-age=3600");
  // An asset's name changes with its content; the names of the icons and the portraits do not.
  add("/assets/", "public, max-age=31536000, immutable");

  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method, url = "", headers } = request;
    const query = url.indexOf("?");
    const file = files.get(query < 0 ? url : url.slice(0, query));
    if (!file || (method !== "GET" && method !== "HEAD")) {
      next();
      return;
    }
    const chosen = file[acceptedEncoding(headers["accept-encoding"])];
    if (matches(headers["if-none-match"], chosen.headers.etag!)) {
      response.writeHead(304, chosen.headers).end();
      return;
    }
    response.writeHead(200, { ...chosen.headers, "content-length": chosen.body.length });
    response.end(method === "HEAD" ? undefined : chosen.body);
  };
}
