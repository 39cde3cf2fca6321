import type { ErrorCode } from "#shared/errors.ts";
import { DAY, HOUR, MINUTE, WEEK } from "#shared/time.ts";

/** Lifetimes in milliseconds, with reasons. */
export const LIFETIMES = {
  /** A day to find the mail; after that registering again is easy. */
  registration: DAY,
  /** Time to find the mail; a recovery link in an old mailbox must be useless. Counted from when it is mailed. */
  recovery: HOUR,
  session: 30 * DAY,
  /** A phone left unused for a week signs itself out. */
  sessionIdle: WEEK,
  /** Recording every request of a session would be a write per page. */
  sessionSeen: 5 * MINUTE,
  /** Time to find the phone; after that the password is required again. */
  challenge: 10 * MINUTE,
  /** A working day: the administrator's session allows more than any other. */
  adminSession: 8 * HOUR,
  /** Time for several changes; an unattended device is safe after that. */
  freshPassword: 10 * MINUTE,
  /** As for a registration. */
  emailChange: DAY,
  /** A week: a user who reads mail only on Sundays can still revert a change. */
  emailUndo: WEEK,
  /** One mail a day says that sign-in is paused; its link is valid until the next one may come. */
  deviceLink: DAY,
} as const;

/** Limits of known devices. */
export const KNOWN_DEVICES = {
  /** In milliseconds: it is forgotten after half a year without signing in. */
  lifetime: 180 * DAY,
  /** More than one person uses; the least recently used are removed. */
  perAccount: 10,
  /** A family shares a computer: signing in as one must not forget the others. */
  valuesPerBrowser: 5,
} as const;

/** The administrator is the account that has confirmed the configured address (specification, section 6). */
export const isAdmin = (email: string, adminEmail: string) => email.toLowerCase() === adminEmail.toLowerCase();

/** When a session ends if nothing happens: idle for a week, or 30 days after it began; an administrator's after 8 hours. */
export const sessionEnd = (session: { created_at: Date; seen_at: Date; expires_at: Date }, isAdmin = false) =>
  new Date(
    Math.min(
      session.expires_at.getTime(),
      session.seen_at.getTime() + LIFETIMES.sessionIdle,
      isAdmin ? session.created_at.getTime() + LIFETIMES.adminSession : Number.POSITIVE_INFINITY,
    ),
  );

/** Whether the password was given so recently that a sensitive change does not require it again. */
export const isPasswordRecent = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() <= LIFETIMES.freshPassword;

/** Why the user may not make a sensitive change now, or null (specification, section 2, "Account"). */
export const whyCannotChangeSensitive = (session: { passwordAt: Date | null }, now: Date): ErrorCode | null =>
  isPasswordRecent(session.passwordAt, now) ? null : "reauthentication_required";
