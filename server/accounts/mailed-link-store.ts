/** Links that any visitor's request can send to an email: to choose a new password, or to make a browser known. */
import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";
import { LIFETIMES } from "../sessions/rules.ts";
import { hashToken, linkToken } from "../tokens.ts";

const LINKS = {
  recover: { lifetime: LIFETIMES.recovery, mail: "recover_password" },
  known_device: { lifetime: LIFETIMES.deviceLink, mail: "sign_in_paused" },
} as const;
type Purpose = keyof typeof LINKS;
type MailedLink = { id: string; email: string };

/** Stores a link and queues its mail. Earlier links stay valid. Only the mail job looks up the account. */
export async function queueLink(
  tx: Tx,
  { boss, config, now }: Context,
  purpose: Purpose,
  email: string,
): Promise<MailedLink> {
  const id = randomUUID();
  const { lifetime, mail } = LINKS[purpose];
  await tx
    .insertInto("mailed_links")
    .values({
      id,
      purpose,
      email,
      token_hash: hashToken(linkToken(config.secret, purpose, id)),
      expires_at: new Date(now().getTime() + lifetime),
    })
    .execute();
  await queueMail(boss, tx, { kind: mail, link_id: id });
  return { id, email };
}

const validLinks = (db: Db, purpose: Purpose, now: Date) =>
  db.selectFrom("mailed_links").select(["id", "email"]).where("purpose", "=", purpose).where("expires_at", ">", now);

export const linkById = (db: Db, purpose: Purpose, id: string, now: Date): Promise<MailedLink | undefined> =>
  validLinks(db, purpose, now).where("id", "=", id).executeTakeFirst();

export const linkByToken = (db: Db, purpose: Purpose, token: string, now: Date): Promise<MailedLink | undefined> =>
  validLinks(db, purpose, now).where("token_hash", "=", hashToken(token)).executeTakeFirst();

/**
 * Consumes a link and deletes the others of its purpose and email. Call it with the account locked.
 * @returns true for exactly one of several concurrent calls
 */
export async function consumeLink(tx: Tx, purpose: Purpose, { id, email }: MailedLink): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("mailed_links")
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .returning("id")
    .execute();
  return deleted.some((link) => link.id === id);
}

export const deleteLink = (db: Db, id: string) => db.deleteFrom("mailed_links").where("id", "=", id).execute();

export const deleteLinksOf = (tx: Tx, email: string) =>
  tx.deleteFrom("mailed_links").where("email", "=", email).execute();
