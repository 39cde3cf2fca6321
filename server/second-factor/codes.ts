import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib/functional";
import { encode } from "uqr";
import { PRODUCT_NAME } from "#shared/product.ts";

/** A code serves for its own 30 seconds and for those on both sides: clocks of telephones differ. */
const STEP_SECONDS = 30;

/** Keys for one use each, all from the application's secret. */
const keyFor = (appSecret: string, use: "secrets" | "recovery") =>
  Buffer.from(hkdfSync("sha256", appSecret, "", `second factor: ${use}`, 32));

/** A new shared secret, in the letters that applications take: 160 bits of chance. */
export const newSecret = (): string => generateSecret();

const NONCE = 12;
const TAG = 16;

/** Encrypts a shared secret for its account: moved to another account's row it cannot be read. */
export function sealSecret(appSecret: string, accountId: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", keyFor(appSecret, "secrets"), nonce).setAAD(Buffer.from(accountId));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** The shared secret, or null when it was sealed with another application secret or for another account. */
export function openSecret(appSecret: string, accountId: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFor(appSecret, "secrets"), sealed.subarray(0, NONCE), {
      authTagLength: TAG,
    });
    decipher.setAAD(Buffer.from(accountId)).setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** The 30-second step that a code of six digits belongs to, or null when it is none of the three that serve now. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  return found.valid && "timeStep" in found ? found.timeStep : null;
}

/** The address by which an application takes the secret over. */
export const otpauthAddress = (secret: string, email: string): string =>
  generateURI({ issuer: PRODUCT_NAME, label: email, secret });

/** A QR code as one path on a square ground, a unit for each module; the page draws it. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 0, ecc: "M" });
  let path = "";
  data.forEach((row, y) => {
    // Neighbours in a row are one stroke.
    for (let x = 0; x < size; x++) {
      if (!row[x] || row[x - 1]) continue;
      let end = x;
      while (row[end]) end++;
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    }
  });
  return { size, path };
}

/** Without letters and digits that look alike. */
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODE_LENGTH = 10;
export const RECOVERY_CODES = 10;

/** Ten new recovery codes of 50 bits each, as they are shown: "K7QM4-9XT2D". */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(
      { length: CODE_LENGTH },
      (_, at) => (at === CODE_LENGTH / 2 ? "-" : "") + LETTERS[randomInt(LETTERS.length)],
    ).join(""),
  );

/** What the database keeps of a recovery code; capitals, hyphens and spaces make no other code. */
export const hashRecoveryCode = (appSecret: string, accountId: string, code: string): Buffer =>
  createHmac("sha256", keyFor(appSecret, "recovery"))
    .update(`${accountId}:${code.toUpperCase().replace(/[^0-9A-Z]/g, "")}`)
    .digest();
