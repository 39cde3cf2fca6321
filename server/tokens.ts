import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";

export type LinkPurpose = "confirm" | "recover" | "change_email" | "undo_email" | "known_device" | "unsubscribe";

/**
 * Returns the token of a mailed link.
 *
 * It is derived from its row's id with our key, so that it need not be stored. The database stores its hash, and the
 * job that composes the mail derives it again.
 */
export const linkToken = (secret: string, purpose: LinkPurpose, id: string) =>
  createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");

export const hashToken = (token: string) => createHash("sha256").update(token).digest();

/** Returns the mark of a press of a form: equal for the same author, operation and fields, including the form's key. */
export const pressMark = (secret: string, action: string, author: string | null, input: unknown) =>
  createHmac("sha256", secret)
    .update(`press:${JSON.stringify([action, author, input])}`)
    .digest("base64url");

export const randomSecret = () => randomBytes(32).toString("base64url");

const CIPHER = "aes-256-gcm";
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with a key of 32 bytes. Only the same key and the same owner decrypt it. */
export function seal(key: Buffer, nonce: Buffer, text: string, owner = ""): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** @returns null if the text was sealed with another key or for another owner, or changed */
export function unseal(key: Buffer, sealed: Buffer, owner = ""): string | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

export const timingSafeEqualBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

/** Returns a new id of an unsubscribe link and the hash of its token. */
export function newUnsubscribeLink(secret: string): { link_id: string; token_hash: Buffer } {
  const link_id = randomUUID();
  return { link_id, token_hash: hashToken(linkToken(secret, "unsubscribe", link_id)) };
}
