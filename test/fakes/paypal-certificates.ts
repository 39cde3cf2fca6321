/** Valid and invalid certificates for signatures of the PayPal fake. Each is issued on first use. */
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Issued, issueCertificate } from "./certificates.ts";

const DAY = 86_400_000;
const NAME = "messageverificationcerts.sandbox.paypal.com";

/**
 * `alone` lacks the intermediate certificate. `moved` is a redirect. `usurped` was issued by a valid certificate that
 * is not an authority.
 */
export type TestCertificate =
  | "good"
  | "alone"
  | "usurped"
  | "expired"
  | "stranger"
  | "misnamed"
  | "moved"
  | "gone"
  | "nonsense";

type Chain = { key: Issued; pem: string };

function openAuthority() {
  const root = issueCertificate("Fake payments root", { authority: true });
  const middle = issueCertificate("Fake payments intermediate", { authority: true, by: root });
  const chain = (key: Issued, above: Issued | null = middle): Chain => ({ key, pem: key.pem + (above?.pem ?? "") });
  const good = issueCertificate(NAME, { by: middle });
  const issue: Record<TestCertificate, () => Chain> = {
    good: () => chain(good),
    alone: () => chain(good, null),
    usurped: () => {
      const usurped = issueCertificate(NAME, { by: good });
      return { key: usurped, pem: usurped.pem + good.pem + middle.pem };
    },
    expired: () => {
      const past = { from: new Date(Date.now() - 30 * DAY), until: new Date(Date.now() - DAY) };
      return chain(issueCertificate(NAME, { by: middle, ...past }));
    },
    stranger: () => {
      const stranger = issueCertificate("A root no one trusts", { authority: true });
      return chain(issueCertificate(NAME, { by: stranger }), stranger);
    },
    misnamed: () => chain(issueCertificate("paypal.com.example.org", { by: middle })),
    moved: () => chain(good),
    gone: () => chain(good),
    nonsense: () => chain(good),
  };
  const issued = new Map<TestCertificate, Chain>();
  setDefaultCACertificates([...getCACertificates("default"), root.pem]);
  return {
    root,
    isCertificate: (name: string): name is TestCertificate => Object.hasOwn(issue, name),
    /** Returns the key of a certificate and its chain. */
    certificate(name: TestCertificate): Chain {
      const found = issued.get(name) ?? issue[name]();
      issued.set(name, found);
      return found;
    },
  };
}

let authority: ReturnType<typeof openAuthority> | undefined;
/**
 * Returns the process's certificate authority, and trusts it. There is only one, because verifiers cache their trusted
 * roots.
 */
export function testAuthority() {
  authority ??= openAuthority();
  return authority;
}
