import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export type LinkPurpose = "confirm" | "recover" | "change_email" | "undo_email";

/**
 * The token of a link in a mail. It is made from the id of what it opens with our key, so that it need not be stored:
 * the database holds its hash, the job that writes the mail makes it again.
 */
export const linkToken = (secret: string, purpose: LinkPurpose, id: string) =>
  createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url");

export const hashToken = (token: string) => createHash("sha256").update(token).digest();

/** 256 bits of chance, as text for a cookie. */
export const randomSecret = () => randomBytes(32).toString("base64url");

export const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);
