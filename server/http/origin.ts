/** Source of a request: its IP, this machine or another, our own pages or a foreign site. */
import { isIP } from "node:net";
import type { Config } from "../config.ts";

export const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Returns the client's IP. Only a configured proxy may set it; the proxy appends the IP that it saw as the last one of
 * the header.
 */
export function clientIp(peer: string, headers: Headers, config: Config): string {
  const plain = peer.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!config.trustedProxies.includes(plain)) return plain;
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return isIP(forwarded) ? forwarded : plain;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i;
/** Host names of this machine. Another name for loopback belongs to a foreign page (DNS rebinding) or a proxy. */
const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|\[::1\]|([\w-]+\.)*localhost)(:\d+)?$/i;
/** Headers that proxies, tunnels and CDNs add to a request. */
const FORWARDING =
  /^(forwarded(-for.*)?|via|x-forward(ed)?(-.+)?|x-(real|originating|proxyuser)-ip|x-host|x-rewrite-url|x-client(-.+)?|x-original-.+|x-remote-(ip|addr)|(.+-)?client-?ip|surrogate-.+|cdn-loop|cf-.+|fastly-.+|fly-.+|x-envoy-.+|x-amz(n|-cf)-.+|x-azure-.+|x-arr-.+|x-appengine-.+|x-cloud-trace-context|x-vercel-.+|x-nf-.+|x-varnish|x-sucuri-.+|incap-.+|(x-)?akamai-.+|ngrok-.+|tailscale-.+)$/i;

/**
 * True if a request was sent on this machine: over loopback, to a loopback name, without a proxy. Behind an
 * unconfigured local proxy all requests arrive over loopback.
 */
export const isLocalRequest = (peer: string, headers: Headers): boolean =>
  LOOPBACK.test(peer) &&
  LOOPBACK_HOST.test(headers.get("host") ?? "") &&
  ![...headers.keys()].some((name) => FORWARDING.test(name));

/**
 * True if our own pages sent a write. Browsers send Sec-Fetch-Site, older ones Origin. Programs without these headers
 * are refused.
 */
export function isOwnOrigin(request: Request, config: Config): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === config.publicUrl.origin;
}
