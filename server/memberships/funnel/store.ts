/** Table `analytics_events`. */
import { sql } from "kysely";
import type { AnalyticsEvent, PaymentMethod, PlanType } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";

/** Counts an event within the hour, without any person. */
export const insertAnalyticsEvent = (
  db: Db | Tx,
  event: { name: AnalyticsEvent; plan_type?: PlanType; method?: PaymentMethod; happened_at: Date },
) =>
  db
    .insertInto("analytics_events")
    .values({ ...event, happened_at: sql`date_trunc('hour', ${event.happened_at}::timestamptz, 'UTC')` })
    .execute();

/** How often each event happened since a moment. */
export const countAnalyticsEvents = (db: Db, since: Date) =>
  db
    .selectFrom("analytics_events")
    .select(["name", sql<number>`count(*)::integer`.as("n")])
    .where("happened_at", ">=", since)
    .groupBy("name")
    .execute();
