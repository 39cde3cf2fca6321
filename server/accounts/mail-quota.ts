import { createHmac } from "node:crypto";
import type { Context } from "../context.ts";
import { LIFETIMES } from "../sessions/rules.ts";
import { countMailboxSends, hasValidMailedLink, insertMailboxSend, lockMailbox, markMailed } from "./store.ts";

/** Mails of one kind to a mailbox that any visitor may cause: one lost mail and one mistake. More would be bombing. */
const MAILBOX_QUOTA = { perHour: 3, perDay: 10 } as const;

/**
 * True if one more mail may be sent to a mailbox: within the allowance, or if no mailed link there is valid, so that
 * its owner always has one.
 */
const isWithinMailQuota = (sent: { lastHour: number; lastDay: number }, linkIsOut: boolean): boolean =>
  (sent.lastHour < MAILBOX_QUOTA.perHour && sent.lastDay < MAILBOX_QUOTA.perDay) || !linkIsOut;

/** A mail that any visitor's request can cause, with the id of the row whose link it contains. */
type RequestedMail = {
  id: string;
  kind: "recovery" | "registration" | "email_change";
  rowId: string;
  email: string;
  /** The account that requested the email change. */
  accountId?: string;
};

/**
 * Decides whether a mail may be sent to its mailbox, and stores the decision (docs/decisions/0011). Idempotent per
 * mail.
 *
 * The mail job calls it, not the request, so that a request above the limit does the same work as any other.
 * @returns false also if the mail's link has expired
 */
export function reserveMailQuota({ db, config, now }: Context, mail: RequestedMail): Promise<boolean> {
  const mailbox = mailboxHash(config.secret, mail.email);
  // The kind contains the account as a keyed hash that differs per mailbox.
  const kind = mail.accountId
    ? `${mail.kind}:${mailboxHash(config.secret, `${mail.accountId}:${mail.email}`).toString("hex")}`
    : mail.kind;
  const at = now();
  // The lifetime of a recovery link begins when it is mailed.
  const until = mail.kind === "recovery" ? new Date(at.getTime() + LIFETIMES.recovery) : null;
  return db.transaction().execute(async (tx) => {
    await lockMailbox(tx, mailbox);
    const before = await countMailboxSends(tx, { mailbox, kind: mail.kind, own: kind, id: mail.id, now: at });
    if (!before.allowed) {
      // If a user cancels and repeats an email change, each repetition creates a new link.
      const ownUsedUp = mail.accountId !== undefined && !isWithinMailQuota(before.own, true);
      if (!isWithinMailQuota(before, ownUsedUp || (await hasValidMailedLink(tx, mail, at)))) return false;
      await insertMailboxSend(tx, { id: mail.id, mailbox, kind, allowed_at: at });
    }
    return markMailed(tx, mail, at, until);
  });
}

/** Keyed hash of a recipient's email; the email itself is not stored. */
const mailboxHash = (secret: string, email: string) =>
  createHmac("sha256", secret).update(`mailbox:${email}`).digest().subarray(0, 16);
