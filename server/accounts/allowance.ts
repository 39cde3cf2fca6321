import { createHmac } from "node:crypto";
import type { Context } from "../context.ts";
import { LIFETIMES } from "../sessions/rules.ts";
import { mailboxOf, mayMail } from "./rules.ts";
import { hasValidMailedLink, insertMailboxMail, lockMailbox, mailboxMails, markMailed } from "./store.ts";

/** A mail that anyone's request can cause: its id, and the row whose link it contains. */
export type RequestedMail = {
  id: string;
  kind: "recovery" | "registration" | "email_change";
  rowId: string;
  /** The mailbox that it goes to. */
  email: string;
  /** The account that wants the address. */
  accountId?: string;
};

/**
 * Decides whether a mail may be sent to its mailbox, and records it (docs/decisions/0011). The job calls it, not the
 * request, so that a request beyond the limit does the same work as any other. Idempotent for one mail. False also when the
 * link is no longer valid.
 */
export function allowMail({ db, config, now }: Context, mail: RequestedMail): Promise<boolean> {
  const mailbox = mailboxHash(config.secret, mail.email);
  // The kind contains the account, as a keyed hash that differs per mailbox.
  const kind = mail.accountId
    ? `${mail.kind}:${mailboxHash(config.secret, `${mail.accountId}:${mail.email}`).toString("hex")}`
    : mail.kind;
  const at = now();
  // The lifetime of a recovery link begins when it is mailed.
  const until = mail.kind === "recovery" ? new Date(at.getTime() + LIFETIMES.recovery) : null;
  return db.transaction().execute(async (tx) => {
    await lockMailbox(tx, mailbox);
    const before = await mailboxMails(tx, { mailbox, kind: mail.kind, own: kind, id: mail.id, now: at });
    if (!before.allowed) {
      // Cancelling and repeating an address change makes a new link each time.
      const ownUsedUp = mail.accountId !== undefined && !mayMail(before.own, true);
      if (!mayMail(before, ownUsedUp || (await hasValidMailedLink(tx, mail, at)))) return false;
      await insertMailboxMail(tx, { id: mail.id, mailbox, kind, allowed_at: at });
    }
    return markMailed(tx, mail, at, until);
  });
}

/** The keyed hash of a mailbox that mails went to; the address is not stored. */
const mailboxHash = (secret: string, email: string) =>
  createHmac("sha256", secret)
    .update(`mailbox:${mailboxOf(email)}`)
    .digest()
    .subarray(0, 16);
