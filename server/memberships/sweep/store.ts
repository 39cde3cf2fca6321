/** What the sweep reads, and how often. */
import { sql } from "kysely";
import type { Db } from "../../database/handles.ts";
import { selectCheckouts } from "../checkout/store.ts";
import { selectMemberships } from "../store.ts";

/**
 * Checkouts to read: begun between `givenUp` and `patience`, the older the less often, since most were abandoned.
 * Failed and expired ones are included: at the provider they may still be paid.
 */
export const checkoutsToRead = (db: Db, provider: string, now: Date, patience: Date, givenUp: Date) =>
  selectCheckouts(db)
    .where("provider", "=", provider)
    .where("status", "in", ["open", "failed", "expired"])
    .where("external_id", "is not", null)
    .where("created_at", "<=", patience)
    .where("created_at", ">", givenUp)
    .where(
      sql<boolean>`(read_at is null or ${now}::timestamptz - read_at >= greatest(interval '5 minutes', least(interval '1 day', (read_at - created_at) / 6)))`,
    )
    .orderBy(sql`read_at nulls first`)
    .orderBy("created_at", "desc")
    .limit(200)
    .execute();

/**
 * Memberships to read. Those at their date (`due`) are read each time, less often as the date recedes, and no longer
 * once it is 90 days ago; before their date, monthly ones are read daily and lifetime ones weekly, so that no change is
 * missed for good. One that ended while its provider may go on charging it, or after a refund, is read daily for 180
 * days.
 */
export const membershipsToRead = (db: Db, provider: string, now: Date, due: Date) =>
  selectMemberships(db)
    .where("provider", "=", provider)
    .where((where) =>
      where.or([
        where("status", "=", "active"),
        where.and([
          where("ended_by", "in", ["provider", "refund"]),
          where("provider_state", "in", ["active", "suspended"]),
          where("cancelled_at", ">", sql<Date>`${now}::timestamptz - interval '180 days'`),
        ]),
      ]),
    )
    .where(
      sql<boolean>`case
        when read_at is null then true
        when status <> 'active' then read_at <= ${now}::timestamptz - interval '1 day'
        when plan_type = 'lifetime' then read_at <= ${now}::timestamptz - interval '7 days'
        when next_billing_date <= ${due} and next_billing_date > ${now}::timestamptz - interval '90 days'
          then ${now}::timestamptz - read_at >= least(interval '1 day', greatest(interval '9 minutes', (${now}::timestamptz - next_billing_date) / 6))
        when next_billing_date <= ${due} then false
        else read_at <= ${now}::timestamptz - interval '1 day'
      end`,
    )
    .orderBy(sql`read_at nulls first`)
    .limit(200)
    .execute();
