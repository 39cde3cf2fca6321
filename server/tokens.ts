import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

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

export const timingSafeEqualBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

/** Returns a new id of an unsubscribe link and the hash of its token. */
export function newUnsubscribeLink(secret: string): { link_id: string; token_hash: Buffer } {
  const link_id = randomUUID();
  return { link_id, token_hash: hashToken(linkToken(secret, "unsubscribe", link_id)) };
}
