import { createHmac, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib/functional";
import { encode } from "uqr";
import { PRODUCT_NAME } from "#shared/product.ts";
import { NONCE_BYTES, seal, unseal } from "../../tokens.ts";

/** A code is valid in its own 30 s and in the 30 s before and after, because phone clocks differ. */
const STEP_SECONDS = 30;

/** Derives a key for one purpose from the application's secret. */
const keyFor = (appSecret: string, use: "secrets" | "recovery") =>
  Buffer.from(hkdfSync("sha256", appSecret, "", `second factor: ${use}`, 32));

/** Returns a new shared secret of 160 random bits in base32. */
export const newSecret = (): string => generateSecret();

/** Encrypts a shared secret for its account; another account's row cannot decrypt it. */
export const encryptSecret = (appSecret: string, accountId: string, secret: string): Buffer =>
  seal(keyFor(appSecret, "secrets"), randomBytes(NONCE_BYTES), secret, accountId);

/** @returns null if it was encrypted with another application secret or for another account */
export const decryptSecret = (appSecret: string, accountId: string, sealed: Buffer): string | null =>
  unseal(keyFor(appSecret, "secrets"), sealed, accountId);

/** Returns the 30-second step of a six-digit code, or null if the code is not valid now. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  return found.valid && "timeStep" in found ? found.timeStep : null;
}

/** Returns the otpauth URL from which an authenticator application imports the secret. */
export const otpauthUri = (secret: string, email: string): string =>
  generateURI({ issuer: PRODUCT_NAME, label: email, secret });

/** Draws a QR code as one SVG path on a square, one unit per module. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 0, ecc: "M" });
  let path = "";
  data.forEach((row, y) => {
    // Adjacent modules of a row are one stroke.
    for (let x = 0; x < size; x++) {
      if (!row[x] || row[x - 1]) continue;
      let end = x;
      while (row[end]) end++;
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    }
  });
  return { size, path };
}

/** Excludes letters and digits that look alike. */
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const newHalf = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** Returns 10 new recovery codes of 50 bits each in the displayed form: "K7QM4-9XT2D". */
export const newRecoveryCodes = () => Array.from({ length: 10 }, () => `${newHalf()}-${newHalf()}`);

/** Returns the stored hash of a recovery code. Ignores case, hyphens and spaces. */
export const hashRecoveryCode = (appSecret: string, accountId: string, code: string): Buffer =>
  createHmac("sha256", keyFor(appSecret, "recovery"))
    .update(`${accountId}:${code.toUpperCase().replace(/[^0-9A-Z]/g, "")}`)
    .digest();
