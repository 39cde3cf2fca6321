/** Certificates for signatures of the PayPal fake. Each is issued on first use, by itself. */
import { DAY } from "#shared/time.ts";
import { type Issued, issueCertificate } from "./certificates.ts";

const NAME = "messageverificationcerts.sandbox.paypal.com";
const ISSUE: Record<string, () => Issued> = {
  good: () => issueCertificate(NAME),
  another: () => issueCertificate(NAME),
  misnamed: () => issueCertificate("paypal.com.example.org"),
  expired: () => issueCertificate(NAME, new Date(Date.now() - 30 * DAY), new Date(Date.now() - DAY)),
};

/** `moved` is a redirect. The key of `good` signs with the last three, which are no certificates. */
export type TestCertificate = "good" | "another" | "misnamed" | "expired" | "moved" | "gone" | "nonsense";

const issued = new Map<string, Issued>();
/** Returns the certificate with a name, and its key: of `good` if there is none. */
export function testCertificate(name: string): Issued {
  const kind = Object.hasOwn(ISSUE, name) ? name : "good";
  const found = issued.get(kind) ?? ISSUE[kind]!();
  issued.set(kind, found);
  return found;
}
