/** Tables `webhook_events` and `payment_sweeps`. */
import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";
import type { Hint, WebhookResource } from "../../integrations/payment-provider.ts";

const COLUMNS = ["provider", "event_id", "resource_type as type", "resource_id as id", "received_at"] as const;
export type EventRow = NonNullable<Awaited<ReturnType<typeof latestEventForResource>>>;

/** Stores webhook events. Repeated events change nothing. @returns true if any event is new */
export const insertEvents = (
  db: Db,
  provider: string,
  events: readonly { id: string; subject: WebhookResource }[],
  received_at: Date,
) =>
  db
    .insertInto("webhook_events")
    .values(
      events.map(({ id: event_id, subject: { type: resource_type, id: resource_id } }) => ({
        ...{ provider, event_id, resource_type, resource_id, received_at },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
    .then(({ numInsertedOrUpdatedRows: n }) => n! > 0n);

/** The latest webhook event about an object of a provider. */
export const latestEventForResource = (db: Db, provider: string, resourceId: string) =>
  db
    .selectFrom("webhook_events")
    .select(COLUMNS)
    .where("provider", "=", provider)
    .where("resource_id", "=", resourceId)
    .orderBy("received_at", "desc")
    .executeTakeFirst();

/**
 * Claims the oldest event of a provider whose checkout is not known yet: at once, then 1, 3, 7 ... min after its
 * arrival, at least daily. No other server claims it, because claiming it sets its next time.
 */
export const claimEvent = (db: Db, provider: string, now: Date): Promise<EventRow | undefined> =>
  sql<EventRow>`update webhook_events
    set due_at = ${now}::timestamptz + least(${now}::timestamptz - received_at, interval '1 day') + interval '1 minute'
  where provider = ${provider} and event_id = (
    select event_id from webhook_events where provider = ${provider} and done_at is null and checkout_id is null
      and coalesce(due_at <= ${now}, true)
    order by received_at limit 1 for update skip locked
  ) returning provider, event_id, resource_type as type, resource_id as id, received_at`
    .execute(db)
    .then(({ rows }) => rows[0]);

type EventKey = Pick<EventRow, "provider" | "event_id">;
const ofEvent = (db: Db | Tx, { provider, event_id }: EventKey) =>
  db.updateTable("webhook_events").where("provider", "=", provider).where("event_id", "=", event_id);

/** Stores the checkout of an event, which is then due, and the id to read with it. */
export const linkEvent = (db: Db, event: EventKey, checkout_id: string, hint: Hint | null, now: Date) => {
  const linked = { checkout_id, ...(hint && { resource_type: hint.type, resource_id: hint.id }) };
  return db
    .with("linked", () => ofEvent(db, event).set(linked))
    .updateTable("checkouts")
    .set({ due_at: sql<Date>`least(due_at, ${now}::timestamptz)` })
    .where("id", "=", checkout_id)
    .execute();
};

export const markEventDone = (db: Db | Tx, event: EventKey, now: Date) =>
  ofEvent(db, event).set({ done_at: now }).execute();

/** The open events of a checkout, the oldest first: one reading takes all of them. */
export const openEventsOf = (db: Db | Tx, checkoutId: string) =>
  db
    .selectFrom("webhook_events")
    .select(COLUMNS)
    .where("checkout_id", "=", checkoutId)
    .where("done_at", "is", null)
    .orderBy("received_at")
    .limit(50)
    .execute();

/** Until when a provider is not to be called, and until when its list of events was read; null for never. */
export const providerState = (db: Db, provider: string) =>
  db
    .selectFrom("payment_sweeps")
    .select(["paused_until", "events_synced_until"])
    .where("provider", "=", provider)
    .executeTakeFirst()
    .then((row) => row ?? { paused_until: null, events_synced_until: null });

export const setProviderState = (
  db: Db,
  provider: string,
  state: { paused_until: Date } | { events_synced_until: Date },
) =>
  db
    .insertInto("payment_sweeps")
    .values({ provider, ...state })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet(state))
    .execute();
