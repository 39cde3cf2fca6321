/** What the sweep reads, how often, and in which order. */
import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";

/** No sweep reads more of one kind: at 250 ms for a call, this is more than one has time for. */
const MOST = 10_000;

const selectCheckoutsToRead = (db: Db, provider: string) =>
  db
    .selectFrom("checkouts")
    .select(["id", "external_id", "payment_pending", "created_at"])
    .where("provider", "=", provider)
    .where("external_id", "is not", null)
    .$narrowType<{ external_id: string }>()
    .limit(MOST);

/**
 * Checkouts to read: begun between `givenUp` and `patience`, the older the less often, since most were abandoned; the
 * newest first. Failed and expired ones are included: at the provider they may still be paid.
 */
export const checkoutsToRead = (db: Db, provider: string, now: Date, patience: Date, givenUp: Date) =>
  selectCheckoutsToRead(db, provider)
    .where("status", "in", ["open", "failed", "expired"])
    .where("created_at", "<=", patience)
    .where("created_at", ">", givenUp)
    .where(
      sql<boolean>`(read_at is null or ${now}::timestamptz - read_at >= greatest(interval '5 minutes', least(interval '1 day', (read_at - created_at) / 6)))`,
    )
    .orderBy("created_at", "desc")
    .execute();
export type CheckoutToRead = Awaited<ReturnType<typeof checkoutsToRead>>[number];

/**
 * Unpaid checkouts of some plans that the provider still offers: begun before `givenUp`, or before another payment gave
 * Gold, so that paying them would be paying twice.
 */
export const checkoutsToClose = (db: Db, provider: string, plans: readonly string[], now: Date, givenUp: Date) =>
  plans.length
    ? selectCheckoutsToRead(db, provider)
        .where("plan_type", "in", plans)
        .where("status", "in", ["open", "failed", "expired"])
        .where((where) =>
          where.or([
            where("created_at", "<=", givenUp),
            where.exists(
              where
                .selectFrom("subscriptions as other")
                .select("other.id")
                .whereRef("other.psychologist_id", "=", "checkouts.psychologist_id")
                .whereRef("other.external_subscription_id", "!=", "checkouts.external_id")
                .whereRef("other.created_at", ">=", "checkouts.created_at")
                .where("other.status", "=", "active"),
            ),
          ]),
        )
        .where("closed_at", "is", null)
        // One that the provider does not close is retried the next day, and hourly while Gold is in force.
        .where(
          sql<boolean>`(read_at is null or read_at <= ${now}::timestamptz -
            case when created_at <= ${givenUp} then interval '1 day' else interval '1 hour' end)`,
        )
        .orderBy("created_at")
        .execute()
    : Promise.resolve([]);

export const markCheckoutClosed = (db: Db, id: string, now: Date) =>
  db.updateTable("checkouts").set({ closed_at: now }).where("id", "=", id).execute();

/** The date of a membership, without the days that it lasts longer because it could not be read. */
const atDate = sql<Date>`coalesce(unreadable_from, next_billing_date)`;
/** True if a membership is at its date or at most 90 days after it. */
const isAtDate = (now: Date, due: Date) =>
  sql<boolean>`(${atDate} <= ${due} and ${atDate} > ${now}::timestamptz - interval '90 days')`;

/**
 * Selects the memberships to read, those at their date (`due`) first. Among equals, those whose last reading failed are last.
 *
 * A membership at its date is read in each sweep, then less often, and weekly from 90 days after its date. Before its date
 * a monthly one is read daily and a lifetime one weekly. An ended one that its provider may still charge is read daily,
 * and weekly from 180 days after its end. A membership that cannot be read is retried less and less often: at its date
 * hourly, else daily. During an outage a membership at its date is retried in each sweep.
 */
export const membershipsToRead = (db: Db, provider: string, now: Date, due: Date) =>
  db
    .selectFrom("subscriptions")
    .select(["id", "external_subscription_id", "psychologist_id"])
    .select(sql<boolean>`status = 'active' and plan_type = 'monthly' and ${isAtDate(now, due)}`.as("is_due"))
    .where("provider", "=", provider)
    .where((where) =>
      where.or([
        where("status", "=", "active"),
        where.and([
          where("ended_by", "in", ["provider", "refund"]),
          where("provider_state", "in", ["active", "suspended"]),
        ]),
      ]),
    )
    .where(
      sql<boolean>`case
        when read_at is null then true
        when status <> 'active' and cancelled_at > ${now}::timestamptz - interval '180 days'
          then read_at <= ${now}::timestamptz - interval '1 day'
        when status <> 'active' or plan_type = 'lifetime' then read_at <= ${now}::timestamptz - interval '7 days'
        when ${isAtDate(now, due)}
          then ${now}::timestamptz - read_at >= least(interval '1 day', greatest(interval '9 minutes', (${now}::timestamptz - ${atDate}) / 6))
        when ${atDate} <= ${due} then read_at <= ${now}::timestamptz - interval '7 days'
        else read_at <= ${now}::timestamptz - interval '1 day'
      end`,
    )
    .where(
      sql<boolean>`(read_failed_at is null or ${now}::timestamptz - read_failed_at >=
        case when ${isAtDate(now, due)} then least(interval '1 hour', interval '5 minutes' * power(2, least(read_failures, 9) - 1))
        else least(interval '1 day', greatest(interval '30 minutes', interval '5 minutes' * power(2, least(read_failures, 9) - 1))) end)`,
    )
    .orderBy("is_due", "desc")
    .orderBy(sql`read_failed_at nulls first`)
    .orderBy(sql`read_at nulls first`)
    .limit(MOST)
    .execute();
export type MembershipToRead = Awaited<ReturnType<typeof membershipsToRead>>[number];

/**
 * Stores that the provider answered with 404: the membership has its date again, is shown as ending there, and counts as
 * cancelled. One in force is still read, in case the provider knows it later. Call it with the psychologist locked.
 */
export const markMembershipGone = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("subscriptions")
    .set((eb) => ({
      read_at: now,
      read_failures: 0,
      read_failed_at: null,
      next_billing_date: eb.fn.coalesce("unreadable_from", "next_billing_date"),
      unreadable_from: null,
      provider_state: eb.case().when("status", "=", "active").then("cancelled").else(eb.ref("provider_state")).end(),
      cancel_confirmed_at: eb
        .case()
        .when("cancel_requested_at", "is not", null)
        .then(eb.fn.coalesce("cancel_confirmed_at", eb.val(now)))
        .end(),
    }))
    .where("id", "=", id)
    .execute();

/**
 * Notes a reading that failed.
 * @param count 1 where it counts; 0 in an outage, which says nothing of this membership
 * @returns how many that count have failed in a row
 */
export const noteFailedReading = (db: Db, id: string, count: 0 | 1, now: Date) =>
  db
    .updateTable("subscriptions")
    .set((eb) => ({ read_failures: eb("read_failures", "+", count), read_failed_at: now }))
    .where("id", "=", id)
    .returning("read_failures")
    .executeTakeFirstOrThrow()
    .then((row) => row.read_failures);

/**
 * Monthly memberships that renew by themselves, are at their date (`due`) and were not read there: what they became is not
 * known. One that was read some minutes ago is not due again yet.
 */
export const membershipsUnreadAtDate = (db: Db, provider: string, now: Date, due: Date) =>
  db
    .selectFrom("subscriptions")
    .select(["id", "external_subscription_id", "psychologist_id", "next_billing_date"])
    .$narrowType<{ next_billing_date: Date }>()
    .where("provider", "=", provider)
    .where("status", "=", "active")
    .where("plan_type", "=", "monthly")
    .where("provider_state", "=", "active")
    .where("unreadable_from", "is", null)
    .where("next_billing_date", "<=", due)
    .where(
      sql<boolean>`(read_at is null or read_at < next_billing_date
        and (read_failed_at >= ${now} or read_at <= ${now}::timestamptz - interval '15 minutes'))`,
    )
    .execute();

/** Extends a membership that could not be read at its date. False when it was read or changed meanwhile. */
export const extendUnreadable = (tx: Tx, id: string, unreadable_from: Date, until: Date) =>
  tx
    .updateTable("subscriptions")
    .set({ unreadable_from, next_billing_date: until })
    .where("id", "=", id)
    .where("status", "=", "active")
    .where("unreadable_from", "is", null)
    .where("next_billing_date", "=", unreadable_from)
    .executeTakeFirst()
    .then((result) => result.numUpdatedRows > 0n);

/** Until when a provider has asked not to be called; null where it has not, or that is over. */
export const pausedUntil = (db: Db, provider: string, now: Date) =>
  db
    .selectFrom("payment_sweeps")
    .select("paused_until")
    .where("provider", "=", provider)
    .where("paused_until", ">", now)
    .executeTakeFirst()
    .then((row) => row?.paused_until ?? null);

export const setPausedUntil = (db: Db, provider: string, paused_until: Date) =>
  db
    .insertInto("payment_sweeps")
    .values({ provider, paused_until })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet({ paused_until }))
    .execute();
