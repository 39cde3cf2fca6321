/** Ends that are wanted at a provider (tables `checkouts` and `subscriptions`). */
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";

const selectUnconfirmed = (db: Db | Tx) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("checkouts", "checkouts.id", "subscriptions.checkout_id")
    .leftJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .select([
      "subscriptions.id",
      "subscriptions.checkout_id",
      "subscriptions.provider",
      "external_subscription_id",
      "subscriptions.psychologist_id",
      "profiles.full_name",
      "profiles.email",
      "ended_by",
      "end_wanted_at",
      "failures",
      "read_at",
    ])
    .where("end_wanted_at", "is not", null)
    .where("end_confirmed_at", "is", null)
    .where("end_closed_at", "is", null)
    .$narrowType<{ end_wanted_at: Date }>();

/** Cancellations that the provider has not confirmed and the administrator has not closed, the oldest first. */
export const unconfirmedCancellations = (db: Db) =>
  selectUnconfirmed(db).orderBy("end_wanted_at").limit(LIMITS.paymentMatters).execute();
export type CancellationRow = Awaited<ReturnType<typeof unconfirmedCancellations>>[number];

export const unconfirmedCancellation = (db: Db | Tx, id: string): Promise<CancellationRow | undefined> =>
  selectUnconfirmed(db).where("subscriptions.id", "=", id).executeTakeFirst();

/** Locks a membership, then reads its unconfirmed cancellation. */
export async function lockCancellation(tx: Tx, id: string): Promise<CancellationRow | undefined> {
  await tx.selectFrom("subscriptions").select("id").where("id", "=", id).forUpdate().execute();
  return unconfirmedCancellation(tx, id);
}
