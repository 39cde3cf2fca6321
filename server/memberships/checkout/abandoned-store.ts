/** Checkouts of deleted accounts that may still be approved at a provider (table `abandoned_checkouts`). */
import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";

/**
 * Keeps the provider's ids, and nothing else, of the monthly checkouts that an account has begun and not paid: approved
 * later, they would be charged for ever. Call it before the account is deleted.
 */
export const rememberAbandonedCheckouts = (tx: Tx, psychologistId: string, now: Date) =>
  tx
    .insertInto("abandoned_checkouts")
    .columns(["provider", "external_id", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("checkouts")
        .select((from) => [
          "provider",
          from.ref("external_id").$notNull().as("external_id"),
          sql<Date>`${now}::timestamptz`.as("created_at"),
        ])
        .where("psychologist_id", "=", psychologistId)
        .where("plan_type", "=", "monthly")
        .where("provider", "!=", "test")
        .where("status", "in", ["open", "failed", "expired", "mismatch"])
        .where("external_id", "is not", null)
        .where("created_at", ">", sql<Date>`${now}::timestamptz - interval '30 days'`),
    )
    .execute();

/** Keeps the provider's id of a subscription that is for no plan of ours, so that it is ended there. */
export const rememberAbandonedCheckout = (tx: Tx, row: { provider: string; external_id: string; created_at: Date }) =>
  tx
    .insertInto("abandoned_checkouts")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Abandoned checkouts to read, the older the less often. */
export const abandonedCheckoutsToRead = (db: Db, provider: string, now: Date) =>
  db
    .selectFrom("abandoned_checkouts")
    .select(["provider", "external_id", "created_at"])
    .where("provider", "=", provider)
    .where(
      sql<boolean>`(read_at is null or ${now}::timestamptz - read_at >= least(interval '1 day', (read_at - created_at) / 6))`,
    )
    .orderBy(sql`read_at nulls first`)
    .limit(200)
    .execute();
export type AbandonedCheckoutRow = Awaited<ReturnType<typeof abandonedCheckoutsToRead>>[number];

export const markAbandonedCheckoutRead = (db: Db, { provider, external_id }: AbandonedCheckoutRow, now: Date) =>
  db
    .updateTable("abandoned_checkouts")
    .set({ read_at: now })
    .where("provider", "=", provider)
    .where("external_id", "=", external_id)
    .execute();

/** Deletes abandoned checkouts begun before a moment, and returns them: how they ended is unknown. */
export const deleteAbandonedCheckoutsBefore = (db: Db, before: Date) =>
  db
    .deleteFrom("abandoned_checkouts")
    .where("created_at", "<", before)
    .returning(["provider", "external_id", "created_at"])
    .execute();

export const deleteAbandonedCheckout = (db: Db | Tx, { provider, external_id }: AbandonedCheckoutRow) =>
  db
    .deleteFrom("abandoned_checkouts")
    .where("provider", "=", provider)
    .where("external_id", "=", external_id)
    .execute();
