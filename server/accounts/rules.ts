/**
 * Mails of one kind that any visitor's requests may send to one mailbox. This allows one lost mail and one mistake;
 * more would be mail bombing.
 */
const MAILBOX_QUOTA = { perHour: 3, perDay: 10 } as const;

/** Returns the key of a mailbox. */
export const mailboxOf = (email: string) => email.toLowerCase();

/**
 * True if one more mail may be sent to a mailbox: within the allowance, or if no mailed link there is valid, so that
 * its owner always has one.
 */
export const isWithinMailQuota = (sent: { lastHour: number; lastDay: number }, linkIsOut: boolean): boolean =>
  (sent.lastHour < MAILBOX_QUOTA.perHour && sent.lastDay < MAILBOX_QUOTA.perDay) || !linkIsOut;
