import { createHash } from "node:crypto";
import type { Config } from "./config.ts";

/** Hashes of the inline scripts of a page: the policy lists them instead of a nonce, so a page can be kept as it is. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = "", body = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes) || /type="application\/(ld\+)?json"/.test(attributes) || !body) continue;
    hashes.add(`'sha256-${createHash("sha256").update(body).digest("base64")}'`);
  }
  return [...hashes];
}

/** The content security policy of a document. Without inline scripts nothing inline runs. */
export function contentSecurityPolicy(scriptHashes: string[], development: boolean): string {
  const scripts = scriptHashes.length ? `'self' ${scriptHashes.join(" ")} 'strict-dynamic'` : "'self'";
  const policy: Record<string, string> = {
    "default-src": "'none'",
    "script-src": development ? "'self' 'unsafe-inline'" : scripts,
    "style-src": development ? "'self' 'unsafe-inline'" : "'self'",
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' blob: data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    // Vite's own asks, in a worker, whether the server is back.
    "worker-src": development ? "'self' blob:" : "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
  };
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** Headers of every response, errors and redirects included. */
export function securityHeaders(config: Config): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy":
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    "x-frame-options": "DENY",
    ...(config.publicUrl.protocol === "https:"
      ? { "strict-transport-security": "max-age=63072000; includeSubDomains" }
      : {}),
  };
}

/**
 * Whether a request that changes something comes from our own pages. Browsers say so in Sec-Fetch-Site; older ones in
 * Origin. A program that sends neither is refused.
 */
export function isOwnOrigin(request: Request, config: Config): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === config.publicUrl.origin;
}
