import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { mailboxOf } from "./rules.ts";

export type LinkPurpose = "confirm" | "recover" | "change_email" | "undo_email" | "known_device" | "unsubscribe";

/**
 * The token of a link in a mail. It is made from the id of what it opens with our key, so that it need not be stored:
 * the database holds its hash, the job that writes the mail makes it again.
 */
export const linkToken = (secret: string, purpose: LinkPurpose, id: string) =>
  createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");

/** What is kept of a mailbox that mails went to: a mark made with our key, not the address. */
export const mailboxMark = (secret: string, email: string) =>
  createHmac("sha256", secret)
    .update(`mailbox:${mailboxOf(email)}`)
    .digest()
    .subarray(0, 16);

export const hashToken = (token: string) => createHash("sha256").update(token).digest();

/** 256 bits of chance, as text for a cookie. */
export const randomSecret = () => randomBytes(32).toString("base64url");

export const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

/** What a link that ends somebody's mails is made from, and the hash of its token. */
export function freshMailLink(secret: string): { link_id: string; token_hash: Buffer } {
  const link_id = randomUUID();
  return { link_id, token_hash: hashToken(linkToken(secret, "unsubscribe", link_id)) };
}
