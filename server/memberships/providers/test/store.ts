/** Table `test_checkouts`. */
import type { Currency, PlanType } from "#shared/plans.ts";
import type { Db, Tx } from "../../../database/handles.ts";

export const insertTestCheckout = (
  db: Db,
  row: { id: string; plan_type: PlanType; amount: number; currency: Currency; payment_id: string },
) => db.insertInto("test_checkouts").values(row).execute();

export const testCheckout = (db: Db, id: string) =>
  db
    .selectFrom("test_checkouts")
    .select(["id", "plan_type", "amount", "currency", "status", "payment_id", "decided_at"])
    .where("id", "=", id)
    .executeTakeFirst();

/** The id of another test checkout of the psychologist that was approved and is not reconciled yet. */
export const approvedUnreadTestCheckout = (tx: Tx, psychologistId: string, exceptCheckoutId: string) =>
  tx
    .selectFrom("checkouts as checkout")
    .innerJoin("test_checkouts", "test_checkouts.id", "checkout.external_id")
    .select("test_checkouts.id")
    .where("checkout.psychologist_id", "=", psychologistId)
    .where("checkout.id", "!=", exceptCheckoutId)
    .where("checkout.status", "not in", ["paid", "mismatch"])
    .where("test_checkouts.status", "=", "approved")
    .executeTakeFirst()
    .then((row) => row?.id ?? null);

/** The first decision is final. */
export const decideTestCheckout = (tx: Tx, id: string, status: "approved" | "rejected", now: Date) =>
  tx
    .updateTable("test_checkouts")
    .set({ status, decided_at: now })
    .where("id", "=", id)
    .where("status", "=", "open")
    .execute();
