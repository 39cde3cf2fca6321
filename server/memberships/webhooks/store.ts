/** Tables `webhook_events` and `payment_sweeps`. */
import type { Db, Tx } from "../../database/handles.ts";

const COLUMNS = ["id", "provider", "subject", "subject_id", "status", "tries", "received_at"] as const;
const selectEvents = (db: Db | Tx) => db.selectFrom("webhook_events").select(COLUMNS);
export type WebhookEventRow = Awaited<ReturnType<typeof webhookEventsToRetry>>[number];

/**
 * Stores a webhook event, or returns the row of an earlier delivery.
 *
 * One statement: between two, the sweep could delete the row.
 */
export const insertWebhookEvent = (
  db: Db,
  row: { provider: string; event_id: string; subject: string; subject_id: string; received_at: Date },
): Promise<WebhookEventRow> =>
  db
    .insertInto("webhook_events")
    .values(row)
    .onConflict((conflict) => conflict.constraint("webhook_events_event_key").doUpdateSet({ event_id: row.event_id }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** The latest webhook event about an object of a provider. */
export const latestEventAbout = (db: Db, provider: string, subjectId: string) =>
  selectEvents(db)
    .where("provider", "=", provider)
    .where("subject_id", "=", subjectId)
    .orderBy("received_at", "desc")
    .executeTakeFirst();

/** Handling a webhook event ended with this status. */
export const setWebhookEventStatus = (db: Db, id: string, status: "done" | "unmatched" | "given_up", now: Date) =>
  db
    .updateTable("webhook_events")
    .set((eb) => ({ status, tries: eb("tries", "+", 1), tried_at: now }))
    .where("id", "=", id)
    .execute();

/** Handling a webhook event failed this time. */
export const countWebhookEventTry = (db: Db, id: string, now: Date) =>
  db
    .updateTable("webhook_events")
    .set((eb) => ({ tries: eb("tries", "+", 1), tried_at: now }))
    .where("id", "=", id)
    .execute();

/** Unhandled webhook events that were received and last tried before a moment, the longest waiting first. */
export const webhookEventsToRetry = (db: Db, provider: string, before: Date) =>
  selectEvents(db)
    .where("provider", "=", provider)
    .where("status", "in", ["received", "unmatched"])
    .where("received_at", "<", before)
    .where((where) => where.or([where("tried_at", "is", null), where("tried_at", "<", before)]))
    .orderBy((eb) => eb.fn.coalesce("tried_at", "received_at"))
    .limit(200)
    .execute();

/** The ids among these that no stored webhook event has. */
export const unseenWebhookEvents = async (db: Db, provider: string, ids: string[]): Promise<Set<string>> => {
  const seen = ids.length
    ? await db
        .selectFrom("webhook_events")
        .select("event_id")
        .where("provider", "=", provider)
        .where("event_id", "in", ids)
        .execute()
    : [];
  const known = new Set(seen.map((row) => row.event_id));
  return new Set(ids.filter((id) => !known.has(id)));
};

/** Deletes handled webhook events received before a moment. */
export const deleteWebhookEventsBefore = (db: Db, before: Date) =>
  db
    .deleteFrom("webhook_events")
    .where("status", "in", ["done", "given_up"])
    .where("received_at", "<", before)
    .execute();

export const webhookEventsReadUntil = (db: Db, provider: string) =>
  db
    .selectFrom("payment_sweeps")
    .select("events_read_until")
    .where("provider", "=", provider)
    .executeTakeFirst()
    .then((row) => row?.events_read_until ?? null);

export const setWebhookEventsReadUntil = (db: Db, provider: string, events_read_until: Date) =>
  db
    .insertInto("payment_sweeps")
    .values({ provider, events_read_until })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet({ events_read_until }))
    .execute();
