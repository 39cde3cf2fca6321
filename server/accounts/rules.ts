import type { UserType } from "#shared/lists.ts";

/** How long things last, in milliseconds, with the reason. */
export const LIFETIMES = {
  /** Longer than a weekend away from mail would need another request anyway. */
  registration: 24 * 3600_000,
  /** A recovery link in an old mailbox must be worth nothing. */
  recovery: 30 * 60_000,
  session: 30 * 24 * 3600_000,
  /** A phone left unused for a week signs itself out. */
  sessionIdle: 7 * 24 * 3600_000,
  /** Writing down every visit of a session would be a write per page. */
  sessionSeen: 5 * 60_000,
} as const;

/** Who is looking, as rules need it. */
export type Viewer = {
  id: string;
  full_name: string;
  email: string;
  user_type: UserType;
  is_admin: boolean;
  is_verified: boolean;
  has_gold: boolean;
  free_responses_used: number;
  max_free_responses: number;
};

/** The administrator is whoever has confirmed the configured address (specification, section 6). */
export const isAdmin = (email: string, adminEmail: string) => email.toLowerCase() === adminEmail.toLowerCase();

/** When a session ends if nothing happens: idle for a week, or 30 days after it began. */
export const sessionEnd = (session: { seen_at: Date; expires_at: Date }) =>
  new Date(Math.min(session.expires_at.getTime(), session.seen_at.getTime() + LIFETIMES.sessionIdle));

export { returnPath as safeReturn } from "#shared/return-path.ts";
