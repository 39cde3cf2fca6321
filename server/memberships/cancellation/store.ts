/** Cancellations at a provider, kept with the membership (table `subscriptions`). */
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";
import { selectMemberships } from "../store.ts";

/** Marks a cancellation as confirmed by the provider; false when it was before. */
export const confirmCancellation = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("subscriptions")
    .set((eb) => ({ cancel_confirmed_at: now, cancel_tried_at: now, cancel_tries: eb("cancel_tries", "+", 1) }))
    .where("id", "=", id)
    .where("cancel_confirmed_at", "is", null)
    .executeTakeFirst()
    .then((result) => result.numUpdatedRows > 0n);

export const countCancellationTry = (db: Db, id: string, now: Date) =>
  db
    .updateTable("subscriptions")
    .set((eb) => ({ cancel_tried_at: now, cancel_tries: eb("cancel_tries", "+", 1) }))
    .where("id", "=", id)
    .execute();

/** Cancellations that the provider has not confirmed, last tried before a moment. */
export const cancellationsToRetry = (db: Db, provider: string, before: Date) =>
  selectMemberships(db)
    .where("provider", "=", provider)
    .where("cancel_requested_at", "<", before)
    .where("cancel_confirmed_at", "is", null)
    .where("cancel_closed_at", "is", null)
    .where((where) => where.or([where("cancel_tried_at", "is", null), where("cancel_tried_at", "<", before)]))
    .orderBy("cancel_requested_at")
    .limit(100)
    .execute();

export type CancellationToRetry = Awaited<ReturnType<typeof cancellationsToRetry>>[number];

const selectUnconfirmed = (db: Db | Tx) =>
  db
    .selectFrom("subscriptions")
    .leftJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .select([
      "subscriptions.id",
      "subscriptions.provider",
      "external_subscription_id",
      "psychologist_id",
      "profiles.full_name",
      "profiles.email",
      "ended_by",
      "cancel_requested_at",
      "cancel_tries",
      "cancel_tried_at",
    ])
    .where("cancel_requested_at", "is not", null)
    .where("cancel_confirmed_at", "is", null)
    .where("cancel_closed_at", "is", null);

/** Cancellations that the provider has not confirmed and the administrator has not closed, the oldest first. */
export const unconfirmedCancellations = (db: Db) =>
  selectUnconfirmed(db).orderBy("cancel_requested_at").limit(LIMITS.paymentMatters).execute();
export type CancellationRow = Awaited<ReturnType<typeof unconfirmedCancellations>>[number];

export const unconfirmedCancellation = (db: Db | Tx, id: string): Promise<CancellationRow | undefined> =>
  selectUnconfirmed(db).where("subscriptions.id", "=", id).executeTakeFirst();

/** Locks a membership and reads its unconfirmed cancellation afterwards. */
export async function lockCancellation(tx: Tx, id: string): Promise<CancellationRow | undefined> {
  await tx.selectFrom("subscriptions").select("id").where("id", "=", id).forUpdate().execute();
  return unconfirmedCancellation(tx, id);
}

/** The administrator closes a cancellation: it is not sent any more. */
export const markCancellationClosed = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("subscriptions").set({ cancel_closed_at: now }).where("id", "=", id).execute();
