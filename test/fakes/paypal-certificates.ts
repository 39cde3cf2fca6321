/** Certificates for signatures of the PayPal fake. Each is issued on first use, by itself. */
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { DAY } from "#shared/time.ts";

/** Encodes a value in DER (X.690), as far as certificates need it. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size: number[] = [];
  for (let rest = content.length; rest > 0; rest >>= 8) size.unshift(rest & 255);
  const length = content.length < 128 ? [content.length] : [128 + size.length, ...size];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (tag: number, digits: string) => der(tag, Buffer.from(digits, "hex"));
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
/** Encodes a UTCTime, which cannot be later than 2049. */
const moment = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
const SHA256_WITH_RSA = sequence(hex(0x06, "2a864886f70d01010b"), der(0x05));
const named = (name: string) => sequence(der(0x31, sequence(hex(0x06, "550403"), der(0x0c, Buffer.from(name)))));

type Issued = { pem: string; key: KeyObject };

/** Issues a certificate with a new key, signed by itself. */
function issueCertificate(
  name: string,
  from = new Date(Date.now() - DAY),
  until = new Date(Date.now() + 365 * DAY),
): Issued {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const body = sequence(
    der(0xa0, hex(0x02, "02")),
    hex(0x02, "10000000"),
    SHA256_WITH_RSA,
    named(name),
    sequence(moment(from), moment(until)),
    named(name),
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const whole = sequence(body, SHA256_WITH_RSA, bits(signature)).toString("base64");
  const lines = whole.match(/.{1,64}/g)!.join("\n");
  return { key: privateKey, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

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
