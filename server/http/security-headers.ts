import { createHash } from "node:crypto";
import { type Config, PAYPAL_SDK } from "../config.ts";

/** Hashes of the inline scripts of a page: the policy lists them instead of a nonce, so that a page can be cached. */
export function inlineScriptHashes(document: Buffer): string[] {
  const hashes = new Set<string>();
  // One character for each byte, because a text of all characters takes longer to make.
  for (const [, attributes = "", body = ""] of document
    .toString("latin1")
    .matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes) || /type="application\/(ld\+)?json"/.test(attributes) || !body) continue;
    hashes.add(`'sha256-${createHash("sha256").update(body, "latin1").digest("base64")}'`);
  }
  return [...hashes];
}

/** Hashes of a response that no browser runs as a page. */
export const NOTHING_INLINE = { scripts: [], styles: [] };

/** PayPal's script on the plans screen: the hosts it loads from, and its nonce. */
export type PaypalSources = { hosts: string; nonce: string };

/** The hosts that PayPal's button loads from and connects to (PayPal's own list); a local fake is all of them. */
export const paypalHosts = ({ sdkBase, apiBase }: NonNullable<Config["paypal"]>): string =>
  sdkBase === PAYPAL_SDK
    ? "https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com"
    : [...new Set([sdkBase, apiBase].map((base) => new URL(base).origin))].join(" ");

/**
 * The content security policy of a document. Without hashes, no inline script or style element works.
 * @param paypal only for the document that has PayPal's button (docs/decisions/0006)
 */
export function contentSecurityPolicy(
  hashes: { scripts: string[]; styles: string[] },
  development: boolean,
  paypal: PaypalSources | null = null,
): string {
  const own = [...hashes.scripts, ...(paypal ? [`'nonce-${paypal.nonce}'`] : [])];
  // Browsers that support 'strict-dynamic' ignore the hosts beside it: whatever our own scripts load may run.
  const scripts = own.length ? `'self' ${own.join(" ")} 'strict-dynamic'` : "'self'";
  const and = paypal ? ` ${paypal.hosts}` : "";
  const policy: Record<string, string> = {
    "default-src": "'none'",
    "script-src": (development ? "'self' 'unsafe-inline'" : scripts) + and,
    // PayPal adds style elements of its own; its nonce for them did not work for years.
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
