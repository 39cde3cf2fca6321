import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import { DAY, MINUTE, SECOND, toIsoDay } from "#shared/time.ts";
import { REPLY_WINDOW_MS } from "./answers/rules.ts";
import type { deleteInBatches } from "./database/batches.ts";
import { KNOWN_DEVICES, LIFETIMES } from "./sessions/rules.ts";

type Table = Parameters<typeof deleteInBatches>[1];

/** Returns the condition under which a row of each table is expired. */
export function expiredRows(now: Date): [Table, RawBuilder<unknown>][] {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const passed = sql`expires_at <= ${now}`;
  return [
    ["known_devices", sql`last_day < ${toIsoDay(before(KNOWN_DEVICES.lifetime))}::date`],
    ["sign_in_challenges", passed],
    ["sessions", sql`${passed} or seen_at <= ${before(LIFETIMES.sessionIdle)}`],
    ["mailed_links", passed],
    ["pending_registrations", passed],
    ["email_changes", passed],
    ["mailbox_sends", sql`allowed_at <= ${before(DAY)}`],
    ["rate_limits", sql`expire < ${now.getTime()}`],
    // Until then a press of a form can be repeated.
    ["presses", sql`created_at < ${before(30 * DAY)}`],
    // For the last mail of a deleted account; longer than the queue's retries.
    ["deleted_account_emails", sql`created_at < ${before(7 * DAY)}`],
    // Their jobs failed.
    ["removed_consultations", sql`removed_at < ${before(LIMITS.undoSeconds * SECOND + MINUTE)}`],
    ["deleted_replies", sql`created_at <= ${before(REPLY_WINDOW_MS)}`],
    // The visits are counted; the marks of visitors stay for one more day, because the clocks of nodes differ.
    ["profile_views", sql`viewed_on < ${toIsoDay(before(DAY))}::date`],
    // Providers repeat events for some weeks at most.
    ["webhook_events", sql`done_at is not null and received_at < ${before(60 * DAY)}`],
  ];
}
