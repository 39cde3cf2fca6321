/** Table `checkouts`. */
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";

/** The columns of a checkout that commands and rules need. */
const selectCheckouts = (db: Db | Tx) =>
  db
    .selectFrom("checkouts")
    .select(["id", "psychologist_id", "provider", "method", "external_id", "plan_type", "amount", "currency"])
    .select([
      "status",
      "pay_url",
      "payment_pending",
      "provider_plan_id",
      "created_at",
      "read_at",
      "owner_confirmed_at",
    ]);
export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof ownCheckout>>>;

export const insertCheckout = (
  tx: Tx,
  row: {
    psychologist_id: string;
    provider: Provider;
    method: PaymentMethod;
    external_id?: string;
    plan_type: PlanType;
    amount: number;
    currency: string;
    payer_email?: string;
    provider_plan_id?: string | null;
    created_at: Date;
  },
) => tx.insertInto("checkouts").values(row).returning("id").executeTakeFirstOrThrow();

export const ownCheckout = (db: Db | Tx, psychologistId: string, id: string) =>
  selectCheckouts(db).where("id", "=", id).where("psychologist_id", "=", psychologistId).executeTakeFirst();

export const checkoutById = (db: Db | Tx, provider: string, id: string) =>
  selectCheckouts(db)
    .where("provider", "=", provider)
    .where("id", "=", id)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const checkoutByExternalId = (db: Db | Tx, provider: string, externalId: string) =>
  selectCheckouts(db)
    .where("provider", "=", provider)
    .where("external_id", "=", externalId)
    .executeTakeFirst()
    .then((row) => row ?? null);

/** A checkout that is still open for the same plan and the same payer. */
export const reusableCheckout = (
  tx: Tx,
  psychologistId: string,
  { provider, plan_type, payer_email }: { provider: Provider; plan_type: PlanType; payer_email: string },
  since: Date,
) =>
  selectCheckouts(tx)
    .where("psychologist_id", "=", psychologistId)
    .where("provider", "=", provider)
    .where("plan_type", "=", plan_type)
    .where("payer_email", "=", payer_email)
    .where("status", "=", "open")
    .where("pay_url", "is not", null)
    .where("closed_at", "is", null)
    .where("created_at", ">", since)
    .orderBy("created_at", "desc")
    .executeTakeFirst();

/** The newest checkout of a psychologist with a pending payment, or from which the buyer returned after `since`. */
export const checkoutWithPendingPayment = (db: Db, psychologistId: string, since: Date) =>
  selectCheckouts(db)
    .where("psychologist_id", "=", psychologistId)
    .where("status", "=", "open")
    .where((where) => where.or([where("payment_pending", "=", true), where("returned_at", ">", since)]))
    .orderBy("created_at", "desc")
    .executeTakeFirst();

/** Whether a psychologist returned after `since` from a payment that its provider does not show yet. */
export const hasReturnedSince = (tx: Tx, psychologistId: string, since: Date) =>
  tx
    .selectFrom("checkouts")
    .select("id")
    .where("psychologist_id", "=", psychologistId)
    .where("status", "=", "open")
    .where("payment_pending", "=", false)
    .where("returned_at", ">", since)
    .executeTakeFirst()
    .then((row) => row !== undefined);

/** Stores the first return of the buyer: later ones do not lengthen the wait. */
export const markCheckoutReturned = (db: Db, id: string, now: Date) =>
  db.updateTable("checkouts").set({ returned_at: now }).where("id", "=", id).where("returned_at", "is", null).execute();

/**
 * Stores what the provider created for a checkout. False when a webhook event came first and another checkout has that
 * id.
 */
export const linkCheckout = (
  db: Db | Tx,
  id: string,
  made: { external_id: string; pay_url?: string | null; provider_plan_id?: string | null },
) =>
  db
    .updateTable("checkouts")
    .set(made)
    .where("id", "=", id)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("checkouts as other")
            .select("other.id")
            .whereRef("other.provider", "=", "checkouts.provider")
            .where("other.external_id", "=", made.external_id)
            .where("other.id", "!=", id),
        ),
      ),
    )
    .executeTakeFirst()
    .then((result) => result.numUpdatedRows > 0n);

/** Stores whose a checkout is, as the administrator has confirmed. */
export const confirmCheckoutOwner = (tx: Tx, id: string, psychologistId: string, now: Date) =>
  tx
    .updateTable("checkouts")
    .set({ psychologist_id: psychologistId, owner_confirmed_at: now })
    .where("id", "=", id)
    .execute();

export const settleCheckout = (
  db: Db | Tx,
  id: string,
  status: "paid" | "failed" | "mismatch" | "expired",
  now: Date,
) => db.updateTable("checkouts").set({ status, settled_at: now, payer_email: null }).where("id", "=", id).execute();

/** `paymentPending`: a payment has begun and is not complete. A failed or expired checkout is open again then. */
export const markCheckoutRead = (tx: Db | Tx, id: string, now: Date, paymentPending: boolean) =>
  tx
    .updateTable("checkouts")
    .set((eb) => ({
      read_at: now,
      payment_pending: paymentPending,
      ...(paymentPending && {
        status: eb.case().when("status", "in", ["failed", "expired"]).then("open").else(eb.ref("status")).end(),
        settled_at: eb.case().when("status", "in", ["failed", "expired"]).then(null).else(eb.ref("settled_at")).end(),
      }),
    }))
    .where("id", "=", id)
    .execute();

/**
 * Expires checkouts that were not paid in time: begun before `before`, or before `longBefore` with a pending payment.
 */
export const expireCheckouts = (db: Db, now: Date, before: Date, longBefore: Date) =>
  db
    .updateTable("checkouts")
    .set({ status: "expired", settled_at: now, payer_email: null })
    .where("status", "=", "open")
    .where("created_at", "<", before)
    .where((where) => where.or([where("payment_pending", "=", false), where("created_at", "<", longBefore)]))
    .execute();
