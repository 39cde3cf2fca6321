/**
 * Mails of one kind that anyone's requests may send to one mailbox: one lost mail and one mistake; more would be mail
 * bombing.
 */
const MAILBOX_ALLOWANCE = { perHour: 3, perDay: 10 } as const;

/** What counts as one mailbox, however its address is written. */
export const mailboxOf = (email: string) => email.toLowerCase();

/**
 * Whether one more mail may be sent to a mailbox: within the allowance, and beyond it only if no link that was mailed there
 * is valid any more, so that its owner always has one.
 */
export const mayMail = (sent: { lastHour: number; lastDay: number }, linkIsOut: boolean): boolean =>
  (sent.lastHour < MAILBOX_ALLOWANCE.perHour && sent.lastDay < MAILBOX_ALLOWANCE.perDay) || !linkIsOut;
