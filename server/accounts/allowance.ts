import type { Context } from "../context.ts";
import { LIFETIMES, mayMail } from "./rules.ts";
import { insertMailboxMail, isLinkOut, lockMailbox, mailboxMails, markMailed } from "./store.ts";
import { mailboxMark } from "./tokens.ts";

/** A mail that anybody's request may cause: its own id, and the row whose link it carries. */
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
 * Decides whether a mail may leave to its mailbox, and remembers it (docs/decisions/0028). It is asked when the mail is
 * written and not when it is requested, so that a request beyond the limit does the same as any other. Asked again for the
 * same mail, it says the same. False also when the link serves no more.
 */
export function allowMail({ db, config, now }: Context, mail: RequestedMail): Promise<boolean> {
  const mailbox = mailboxMark(config.secret, mail.email);
  // Which account wanted it shows in the kind, as a mark that is another one for each mailbox.
  const kind = mail.accountId
    ? `${mail.kind}:${mailboxMark(config.secret, `${mail.accountId}:${mail.email}`).toString("hex")}`
    : mail.kind;
  const at = now();
  // The hour of a recovery link begins when it is mailed.
  const until = mail.kind === "recovery" ? new Date(at.getTime() + LIFETIMES.recovery) : null;
  return db.transaction().execute(async (tx) => {
    await lockMailbox(tx, mailbox);
    const before = await mailboxMails(tx, { mailbox, kind: mail.kind, own: kind, id: mail.id, now: at });
    if (!before.allowed) {
      // Giving an address up and wanting it again makes a new link each time.
      const ownUsedUp = mail.accountId !== undefined && !mayMail(before.own, true);
      if (!mayMail(before, ownUsedUp || (await isLinkOut(tx, mail, at)))) return false;
      await insertMailboxMail(tx, { id: mail.id, mailbox, kind, allowed_at: at });
    }
    return markMailed(tx, mail, at, until);
  });
}
