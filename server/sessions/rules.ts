import { DAY, HOUR, MINUTE, WEEK } from "#shared/time.ts";

/** Lifetimes in milliseconds, with reasons. */
export const LIFETIMES = {
  /** A day to find the mail; after that, registering again is easy. */
  registration: DAY,
  /** Time to find the mail, counted from its sending. A recovery link in an old mailbox must be useless. */
  recovery: HOUR,
  session: 30 * DAY,
  /** A phone signs itself out after a week without use. */
  sessionIdle: WEEK,
  /** Storing every request of a session would cost a write per page. */
  sessionSeen: 5 * MINUTE,
  /** Time to find the phone; after that the password is required again. */
  challenge: 10 * MINUTE,
  /** A working day. The administrator's session has more rights than all others. */
  adminSession: 8 * HOUR,
  /** Time for several changes; an unattended device is safe after that. */
  freshPassword: 10 * MINUTE,
  /** As for a registration. */
  emailChange: DAY,
  /** A week, so that a user who reads mail only on Sundays can revert a change. */
  emailUndo: WEEK,
  /** A mail about a paused sign-in leaves at most once a day; its link is valid until the next one. */
  deviceLink: DAY,
} as const;

export const KNOWN_DEVICES = {
  /** Time without a sign-in after which it is deleted, in milliseconds: half a year. */
  lifetime: 180 * DAY,
  /** More than a user needs; the least recently used are deleted. */
  perAccount: 10,
  /** Users of a family's computer must not delete each other's devices by signing in. */
  valuesPerBrowser: 5,
} as const;

/** Returns when a session ends without further requests. */
export const sessionEnd = (session: { created_at: Date; seen_at: Date; expires_at: Date }, isAdmin = false) =>
  new Date(
    Math.min(
      session.expires_at.getTime(),
      session.seen_at.getTime() + LIFETIMES.sessionIdle,
      isAdmin ? session.created_at.getTime() + LIFETIMES.adminSession : Number.POSITIVE_INFINITY,
    ),
  );

/** True if the password was given recently enough for a sensitive change (specification, section 2, "Account"). */
export const isPasswordRecent = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() <= LIFETIMES.freshPassword;
