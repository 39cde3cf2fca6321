/** Verifies that PayPal sent a webhook request. */
import { createVerify, X509Certificate } from "node:crypto";
import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import { failureOf, fetchText } from "./json-client.ts";
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
  /** Certificates of this host are accepted, too: a local fake uses its own. */
  apiBase: string;
  timeoutMs?: number;
};

/**
 * Opens the check whether PayPal signed some bytes for our webhook: RSA over the transmission, our webhook's id and the
 * body's checksum, with a certificate that PayPal publishes. TLS proves that a certificate comes from PayPal's own host.
 * @returns a check that throws ProviderError unavailable when the certificate cannot be read now: PayPal must send the
 * event again
 */
export function openSignatureCheck({ webhookId, apiBase, timeoutMs }: SignatureConfig) {
  const origins = [...CERTIFICATE_ORIGINS, new URL(apiBase).origin];
  const certificates = new LRUCache<string, X509Certificate>({
    max: CERTIFICATES_KEPT,
    ignoreFetchAbort: true,
    fetchMethod: (url) => downloadCertificate(url, timeoutMs),
  });

  return async (headers: Headers, rawBody: Uint8Array): Promise<boolean> => {
    const [id, sentAt, signature, certificateUrl, algorithm] = ["id", "time", "sig"]
      .map((name) => headers.get(`paypal-transmission-${name}`))
      .concat(headers.get("paypal-cert-url"), headers.get("paypal-auth-algo"));
    if (!id || !sentAt || !signature || !certificateUrl || algorithm !== "SHA256withRSA") return false;
    const url = certificateUrlFrom(certificateUrl, origins);
    if (!url) return false;
    try {
      const certificate = (await certificates.fetch(url))!;
      if (!isCurrent(certificate, new Date()) || !CERTIFICATE_NAME.test(certificate.subject)) return false;
      const signed = createVerify("sha256").update(`${id}|${sentAt}|${webhookId}|${crc32(rawBody)}`);
      return signed.verify(certificate.publicKey, signature, "base64");
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "unavailable") throw error;
      return false;
    }
  };
}

/** The address of a certificate, or null where PayPal publishes none. */
function certificateUrlFrom(given: string, origins: readonly string[]): string | null {
  const url = URL.parse(given);
  if (!url || !origins.includes(url.origin) || url.username || url.password || url.search || url.hash) return null;
  return url.pathname.startsWith(CERTIFICATE_PATH) ? url.href : null;
}

/** Downloads a certificate: the first of a chain. */
async function downloadCertificate(url: string, timeoutMs: number | undefined): Promise<X509Certificate> {
  const what = "the certificate of a webhook";
  const { response, text } = await fetchText("PayPal", what, url, { redirect: "manual" }, timeoutMs);
  const { status } = response;
  if (status !== 200) throw new ProviderError(failureOf(status), "PayPal", what, { status });
  if (text.length > CERTIFICATE_BYTES) throw new Error("The certificate is too large.");
  return new X509Certificate(text);
}

const isCurrent = (certificate: X509Certificate, now: Date) =>
  certificate.validFromDate <= now && now <= certificate.validToDate;
