import fc from "fast-check";
import { encode } from "uqr";
import { describe, expect, test } from "vitest";
import { codeAt } from "#test/totp.ts";
import {
  decryptSecret,
  encryptSecret,
  hashRecoveryCode,
  newRecoveryCodes,
  newSecret,
  otpauthUri,
  qrPath,
  totpStep,
} from "./codes.ts";

const APP = "a secret that only the tests know, long enough";
const AT = new Date("2027-01-02T03:04:05Z");
const seconds = (count: number) => new Date(AT.getTime() + count * 1000);

test("computes the codes of RFC 6238", () => {
  // Appendix B, SHA-1, last 6 digits.
  const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  for (const [moment, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const) {
    expect(codeAt(key, new Date(moment * 1000))).toBe(code);
    expect(totpStep(key, code, new Date(moment * 1000))).toBe(Math.floor(moment / 30));
  }
});

test("accepts a code in its own 30 s, the 30 s before or the 30 s after", () => {
  const secret = newSecret();
  const step = Math.floor(AT.getTime() / 30_000);
  for (const [ahead, serves] of [
    [-90, false],
    [-60, false],
    [-30, true],
    [0, true],
    [30, true],
    [60, false],
    [90, false],
  ] as const)
    expect(totpStep(secret, codeAt(secret, seconds(ahead)), AT)).toBe(serves ? step + ahead / 30 : null);
});

describe("shared secret", () => {
  test("contains 160 random bits", () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  test("decrypts only for the same account with the same application secret", () => {
    const secret = newSecret();
    const sealed = encryptSecret(APP, "ana", secret);
    expect(decryptSecret(APP, "ana", sealed)).toBe(secret);
    expect(decryptSecret(APP, "eva", sealed)).toBeNull();
    expect(decryptSecret(`${APP}.`, "ana", sealed)).toBeNull();
    expect(sealed.toString("latin1")).not.toContain(secret);
    // Each encryption uses a new nonce.
    expect(encryptSecret(APP, "ana", secret).equals(sealed)).toBe(false);
  });

  test("returns null if the ciphertext was changed", () => {
    const sealed = encryptSecret(APP, "ana", newSecret());
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(sealed);
        changed[at]! ^= flip;
        expect(decryptSecret(APP, "ana", changed)).toBeNull();
      }),
    );
    for (const length of [0, 1, 12, 27, 28]) expect(decryptSecret(APP, "ana", sealed.subarray(0, length))).toBeNull();
  });

  test("appears in an otpauth URL", () => {
    const url = new URL(otpauthUri("ABCDEFGHABCDEFGHABCDEFGHABCDEFGH", "ana+1@correo.example"));
    expect([url.protocol, url.host]).toEqual(["otpauth:", "totp"]);
    expect(decodeURIComponent(url.pathname)).toBe("/Diván:ana+1@correo.example");
    expect(url.searchParams.get("secret")).toBe("ABCDEFGHABCDEFGHABCDEFGHABCDEFGH");
    expect(url.searchParams.get("issuer")).toBe("Diván");
  });
});

test("draws the black modules of a QR code as one path", () => {
  const address = otpauthUri(newSecret(), "ana@correo.example");
  const { size, path } = qrPath(address);
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    modules[Number(y)]!.fill(true, Number(x), Number(x) + Number(length));
  expect(modules).toEqual(encode(address, { border: 0, ecc: "M" }).data);
});

describe("recovery codes", () => {
  test("contains 10 different codes without letters that look alike", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/);
  });

  test("hashes all spellings of a code to one value per account, with the application secret", () => {
    const hash = hashRecoveryCode(APP, "ana", "K7QM4-9XT2D");
    for (const typed of ["k7qm4-9xt2d", "K7QM49XT2D", " k7qm4 9xt2d ", "K7QM4–9XT2D"])
      expect(hashRecoveryCode(APP, "ana", typed)).toEqual(hash);
    expect(hashRecoveryCode(APP, "eva", "K7QM4-9XT2D")).not.toEqual(hash);
    expect(hashRecoveryCode(`${APP}.`, "ana", "K7QM4-9XT2D")).not.toEqual(hash);
    expect(hashRecoveryCode(APP, "ana", "K7QM4-9XT2E")).not.toEqual(hash);
  });
});
