import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { DAY, HOUR } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { LIFETIMES } from "../sessions/rules.ts";

/** Mails of one kind to a mailbox that any visitor may cause: one lost mail and one mistake. More would be bombing. */
const MAILBOX_QUOTA = [
  { within: HOUR, mails: 3 },
  { within: DAY, mails: 10 },
];

const LINKS = {
  recovery: "mailed_links",
  registration: "pending_registrations",
  email_change: "email_changes",
} as const;

/** A mail that any visitor's request can cause, with the id of the row whose link it contains. */
type RequestedMail = {
  id: string;
  kind: keyof typeof LINKS;
  rowId: string;
  email: string;
  /** The account that requested the email change. */
  accountId?: string;
};

/**
 * Decides whether a mail may be sent to its mailbox, and stores the decision (docs/decisions/0011). Idempotent per
 * mail. A mail above the quota is sent if no mailed link there is valid, so that its owner always has one.
 *
 * The mail job calls it, not the request, so that a request above the limit does the same work as any other.
 * @returns false also if the mail's link has expired
 */
export function reserveMailQuota(
  { db, config, now }: Context,
  { id, kind, rowId, email, accountId }: RequestedMail,
): Promise<boolean> {
  const mailbox = mailboxHash(config.secret, email);
  // The kind contains the account as a keyed hash that differs per mailbox.
  const ownKind = accountId ? `${kind}:${mailboxHash(config.secret, `${accountId}:${email}`).toString("hex")}` : kind;
  const at = now();
  return db.transaction().execute(async (tx) => {
    // One decision at a time about the mails of a mailbox.
    await sql`select pg_advisory_xact_lock(4802, ${mailbox.readInt32BE(0)})`.execute(tx);
    const sent = await tx
      .selectFrom("mailbox_sends")
      .select(["id", "kind", "allowed_at"])
      .where("mailbox", "=", mailbox)
      .where(sql`split_part(kind, ':', 1)`, "=", kind)
      .execute();
    if (!sent.some((one) => one.id === id)) {
      const isUsedUp = (mailsSent: typeof sent) =>
        MAILBOX_QUOTA.some(
          ({ within, mails }) =>
            mailsSent.filter(({ allowed_at }) => allowed_at.getTime() > at.getTime() - within).length >= mails,
        );
      // If a user cancels and repeats an email change, each repetition creates a new link.
      const isOwnUsedUp = accountId !== undefined && isUsedUp(sent.filter((one) => one.kind === ownKind));
      const valid = tx
        .selectFrom(LINKS[kind])
        .select("id")
        .where("mailed_at", "is not", null)
        .where("expires_at", ">", at);
      // Any recovery or registration of the mailbox counts, but only the own link of an email change.
      const other = kind === "email_change" ? valid.where("id", "=", rowId) : valid.where(sql.ref("email"), "=", email);
      if (isUsedUp(sent) && (isOwnUsedUp || (await other.limit(1).executeTakeFirst()))) return false;
      await tx.insertInto("mailbox_sends").values({ id, mailbox, kind: ownKind, allowed_at: at }).execute();
    }
    // The lifetime of a recovery link begins when it is mailed.
    const lifetime = kind === "recovery" ? { expires_at: new Date(at.getTime() + LIFETIMES.recovery) } : {};
    const mailed = await tx
      .updateTable(LINKS[kind])
      .set({ mailed_at: at, ...lifetime })
      .where("id", "=", rowId)
      .where("expires_at", ">", at)
      .returning("id")
      .executeTakeFirst();
    return mailed !== undefined;
  });
}

/** Keyed hash of a recipient's email; the email itself is not stored. */
const mailboxHash = (secret: string, email: string) =>
  createHmac("sha256", secret).update(`mailbox:${email}`).digest().subarray(0, 16);
