/** Verifies that PayPal sent a webhook request. */
import { createVerify, X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
import { crc32 } from "node:zlib";
import { type Fetch, TIMEOUT_MS } from "./json-client.ts";
import { ProviderError } from "./provider-error.ts";

/** The hosts where PayPal publishes the certificates of its webhooks. */
const CERTIFICATE_ORIGINS = [
  "api.paypal.com",
  "api-m.paypal.com",
  "api.sandbox.paypal.com",
  "api-m.sandbox.paypal.com",
].map((host) => `https://${host}`);
const CERTIFICATE_PATH = "/v1/notifications/certs/";
/** The subject of PayPal's certificate, live and in the sandbox. */
const CERTIFICATE_NAME = /^CN=messageverificationcerts(\.[\w-]+)*\.paypal\.com$/m;
/** A certificate chain is a few KB; PayPal uses a handful of certificates at a time. */
const CERTIFICATE_BYTES = 64 * 1024;
const CERTIFICATES_KEPT = 20;

export type SignatureConfig = {
  /** The id of our webhook at PayPal; its signatures are valid only for that one. */
  webhookId: string;
  /** The hosts from which certificates are accepted: PayPal's, unless a local fake is used. */
  certificateOrigins?: readonly string[];
  /** Root certificates (PEM) in which a chain must end. Default: the roots that Node trusts. */
  trustedRoots?: readonly string[];
  fetch?: Fetch;
  timeoutMs?: number;
};

/**
 * Opens the check whether PayPal signed some bytes for our webhook: RSA over the transmission, our webhook's id and the
 * body's checksum, with a certificate that PayPal publishes.
 * @param askPaypal asks PayPal itself to verify a signature; takes the body of that call
 * @returns a check that throws ProviderError unavailable when the certificate cannot be read now: PayPal must send the
 * event again
 */
export function openSignatureCheck(
  {
    webhookId,
    certificateOrigins = CERTIFICATE_ORIGINS,
    trustedRoots: roots,
    fetch = globalThis.fetch,
    timeoutMs = TIMEOUT_MS,
  }: SignatureConfig,
  askPaypal: (body: string) => Promise<boolean>,
) {
  const cachedChains = new Map<string, Promise<X509Certificate[]>>();
  /** Fetches the certificate chain at a URL. @throws Error if the response is not a certificate chain */
  async function certificates(url: string): Promise<X509Certificate[]> {
    const cached = cachedChains.get(url);
    if (cached) return cached;
    const download = downloadChain(url, fetch, timeoutMs);
    cachedChains.set(url, download);
    if (cachedChains.size > CERTIFICATES_KEPT) cachedChains.delete(cachedChains.keys().next().value!);
    download.catch(() => cachedChains.delete(url));
    return download;
  }

  return async (headers: Headers, rawBody: Uint8Array): Promise<boolean> => {
    const [id, sentAt, signature, certificateUrl, algorithm] = ["id", "time", "sig"]
      .map((name) => headers.get(`paypal-transmission-${name}`))
      .concat(headers.get("paypal-cert-url"), headers.get("paypal-auth-algo"));
    if (!id || !sentAt || !signature || !certificateUrl || algorithm !== "SHA256withRSA") return false;
    const url = certificateUrlFrom(certificateUrl, certificateOrigins);
    if (!url) return false;
    let chain: X509Certificate[];
    try {
      chain = await certificates(url);
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "unavailable") throw error;
      return false;
    }
    const [leaf] = chain as [X509Certificate];
    const now = new Date();
    if (!isCurrent(leaf, now) || !CERTIFICATE_NAME.test(leaf.subject)) return false;
    const signed = createVerify("sha256").update(`${id}|${sentAt}|${webhookId}|${crc32(rawBody)}`);
    if (!signed.verify(leaf.publicKey, signature, "base64")) return false;
    if (isTrusted(chain, trustedRoots(roots), now)) return true;
    // PayPal has published certificates without the intermediate ones. In this case PayPal's API verifies the
    // signature. The event must be sent byte by byte as received: serialized again it may differ (1.0, key order).
    return askPaypal(
      `${JSON.stringify({
        auth_algo: algorithm,
        cert_url: certificateUrl,
        transmission_id: id,
        transmission_sig: signature,
        transmission_time: sentAt,
        webhook_id: webhookId,
      }).slice(0, -1)},"webhook_event":${Buffer.from(rawBody).toString("utf8")}}`,
    );
  };
}

/** The address of a certificate, or null where PayPal publishes none. */
function certificateUrlFrom(given: string, origins: readonly string[]): string | null {
  const url = URL.parse(given);
  if (!url || !origins.includes(url.origin) || url.username || url.password || url.search || url.hash) return null;
  return url.pathname.startsWith(CERTIFICATE_PATH) ? url.href : null;
}

/** Downloads a certificate chain, the leaf first. */
async function downloadChain(url: string, fetch: Fetch, timeoutMs: number): Promise<X509Certificate[]> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    text = await response.text();
  } catch {
    throw new ProviderError("unavailable", "PayPal", "the certificate of a webhook got no answer");
  }
  if (status !== 200)
    throw new ProviderError(
      status >= 500 || status === 429 ? "unavailable" : "refused",
      "PayPal",
      "the certificate of a webhook",
      { status },
    );
  if (text.length > CERTIFICATE_BYTES) throw new Error("The certificate is too large.");
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (!found.length) throw new Error("There is no certificate.");
  return found.map((pem) => new X509Certificate(pem));
}

const isCurrent = (certificate: X509Certificate, now: Date) =>
  certificate.validFromDate <= now && now <= certificate.validToDate;

let nodeRoots: X509Certificate[] | undefined;
function trustedRoots(given: readonly string[] | undefined): X509Certificate[] {
  if (given) return given.map((pem) => new X509Certificate(pem));
  nodeRoots ??= getCACertificates("default").map((pem) => new X509Certificate(pem));
  return nodeRoots;
}

/** Whether a certificate chain ends in a trusted root. */
function isTrusted(chain: X509Certificate[], roots: X509Certificate[], now: Date): boolean {
  const above = chain.slice(1).filter((certificate) => certificate.ca && isCurrent(certificate, now));
  const issued = (by: X509Certificate) => current.checkIssued(by) && current.verify(by.publicKey);
  let current = chain[0]!;
  for (let steps = 0; steps <= chain.length; steps++) {
    if (roots.some((root) => isCurrent(root, now) && issued(root))) return true;
    const next = above.find((certificate) => certificate !== current && issued(certificate));
    if (!next) return false;
    current = next;
  }
  return false;
}
