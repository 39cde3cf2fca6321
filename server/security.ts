import { createHash } from "node:crypto";
import { type Config, PAYPAL_SDK } from "./config.ts";

/** Hashes of the inline scripts of a page: the policy lists them instead of a nonce, so that a page can be cached. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = "", body = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes) || /type="application\/(ld\+)?json"/.test(attributes) || !body) continue;
    hashes.add(`'sha256-${createHash("sha256").update(body).digest("base64")}'`);
  }
  return [...hashes];
}

/** PayPal's script on the plans screen: the hosts it loads from, and its nonce. */
export type PaypalSources = { hosts: string; nonce: string };

/** The hosts that PayPal's button loads from and connects to (PayPal's own list); a local fake is all of them. */
export const paypalHosts = ({ sdkBase, apiBase }: NonNullable<Config["paypal"]>): string =>
  sdkBase === PAYPAL_SDK
    ? "https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com"
    : [...new Set([sdkBase, apiBase].map((base) => new URL(base).origin))].join(" ");

/**
 * The content security policy of a document. Without inline scripts, none may run.
 * @param paypal only for the document where PayPal's button stands (docs/decisions/0020)
 */
export function contentSecurityPolicy(
  scriptHashes: string[],
  development: boolean,
  paypal: PaypalSources | null = null,
): string {
  const own = [...scriptHashes, ...(paypal ? [`'nonce-${paypal.nonce}'`] : [])];
  // Browsers that support 'strict-dynamic' ignore the hosts beside it: whatever our own scripts load may run.
  const scripts = own.length ? `'self' ${own.join(" ")} 'strict-dynamic'` : "'self'";
  const and = paypal ? ` ${paypal.hosts}` : "";
  const policy: Record<string, string> = {
    "default-src": "'none'",
    "script-src": (development ? "'self' 'unsafe-inline'" : scripts) + and,
    // PayPal adds style elements of its own; its nonce for them did not work for years.
    "style-src": (development || paypal ? "'self' 'unsafe-inline'" : "'self'") + and,
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

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i;
/**
 * Host names of this machine. Another name that resolves here was chosen by a foreign page (DNS rebinding), or is a
 * proxy's.
 */
const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|\[::1\]|([\w-]+\.)*localhost)(:\d+)?$/i;
/** Headers that proxies, tunnels and CDNs add to a request. */
const FORWARDING =
  /^(forwarded(-for.*)?|via|x-forward(ed)?(-.+)?|x-(real|originating|proxyuser)-ip|x-host|x-rewrite-url|x-client(-.+)?|x-original-.+|x-remote-(ip|addr)|(.+-)?client-?ip|surrogate-.+|cdn-loop|cf-.+|fastly-.+|fly-.+|x-envoy-.+|x-amz(n|-cf)-.+|x-azure-.+|x-arr-.+|x-appengine-.+|x-cloud-trace-context|x-vercel-.+|x-nf-.+|x-varnish|x-sucuri-.+|incap-.+|(x-)?akamai-.+|ngrok-.+|tailscale-.+)$/i;

/**
 * Whether a request was sent on this machine: over loopback, to a loopback name, without a proxy. Behind an unconfigured
 * local proxy every request comes over loopback.
 */
export const isLocalRequest = (peer: string, headers: Headers): boolean =>
  LOOPBACK.test(peer) &&
  LOOPBACK_HOST.test(headers.get("host") ?? "") &&
  ![...headers.keys()].some((name) => FORWARDING.test(name));

/**
 * Whether a request that changes something comes from our own pages. Browsers say so in Sec-Fetch-Site; older ones in
 * Origin. A program that sends neither is refused.
 */
export function isOwnOrigin(request: Request, config: Config): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === config.publicUrl.origin;
}
