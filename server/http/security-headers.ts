import { createHash } from "node:crypto";
import { type Config, PAYPAL_SDK } from "../config.ts";

/** The hashes of a page's inline scripts. The policy lists them instead of a nonce, so that a page can be cached. */
export function inlineScriptHashes(document: Buffer): string[] {
  const hashes = new Set<string>();
  // Latin-1 decodes one character per byte, which is faster than UTF-8.
  for (const [, attributes = "", body = ""] of document
    .toString("latin1")
    .matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes) || /type="application\/(ld\+)?json"/.test(attributes) || !body) continue;
    hashes.add(`'sha256-${createHash("sha256").update(body, "latin1").digest("base64")}'`);
  }
  return [...hashes];
}

export const NOTHING_INLINE = { scripts: [], styles: [] };

/** Returns the hosts that PayPal's button uses (PayPal's own list), or the local fake's. */
export const paypalHosts = ({ sdkBase, apiBase }: NonNullable<Config["paypal"]>): string =>
  sdkBase === PAYPAL_SDK
    ? "https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com"
    : [...new Set([sdkBase, apiBase].map((base) => new URL(base).origin))].join(" ");

/**
 * Returns the content security policy of a document. Without hashes, no inline script or style element works.
 * @param paypal only for the document with PayPal's button (docs/decisions/0006)
 */
export function contentSecurityPolicy(
  hashes: { scripts: string[]; styles: string[] },
  development: boolean,
  paypal: { hosts: string; nonce: string } | null = null,
): string {
  const own = [...hashes.scripts, ...(paypal ? [`'nonce-${paypal.nonce}'`] : [])];
  // Browsers that support 'strict-dynamic' ignore listed hosts: scripts that our own scripts load may run.
  const scripts = own.length ? `'self' ${own.join(" ")} 'strict-dynamic'` : "'self'";
  const and = paypal ? ` ${paypal.hosts}` : "";
  const policy: Record<string, string> = {
    "default-src": "'none'",
    "script-src": (development ? "'self' 'unsafe-inline'" : scripts) + and,
    // PayPal adds its own style elements; its nonce for them did not work for years.
    "style-src": (development || paypal ? "'self' 'unsafe-inline'" : ["'self'", ...hashes.styles].join(" ")) + and,
    "style-src-attr": "'unsafe-inline'",
    "img-src": `'self' blob: data:${and}`,
    "font-src": "'self'",
    "connect-src": `'self'${and}`,
    ...(paypal ? { "frame-src": paypal.hosts, "child-src": paypal.hosts } : {}),
    "manifest-src": "'self'",
    // Vite's client polls the server from a worker.
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
