/** Table `payment_transactions`. */
import { sql } from "kysely";
import type { Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { Payment } from "../../integrations/payment-provider.ts";

const selectPayments = (db: Db | Tx) =>
  db
    .selectFrom("payment_transactions")
    .select(["id", "subscription_id", "external_payment_id", "amount", "currency", "status", "refunded_amount"])
    .select(["dispute", "external_dispute_id", "paid_at", "provider_updated_at", "created_at"])
    .$narrowType<Pick<Payment, "status" | "dispute">>();
export type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number];

/** A psychologist's payments, the newest first. */
export const paymentsOf = (db: Db, psychologistId: string) =>
  selectPayments(db)
    .where("subscription_id", "in", (inner) =>
      inner.selectFrom("subscriptions").select("id").where("psychologist_id", "=", psychologistId),
    )
    .orderBy("paid_at", "desc")
    .orderBy("external_payment_id")
    .limit(500)
    .execute();

export const paymentsOfMembership = (db: Db | Tx, subscriptionId: string) =>
  selectPayments(db).where("subscription_id", "=", subscriptionId).orderBy("paid_at").limit(500).execute();

/** The provider's id of the subscription that a known payment belongs to. */
export const providerSubscriptionOfPayment = (db: Db, provider: string, externalPaymentId: string) =>
  db
    .selectFrom("payment_transactions")
    .innerJoin("subscriptions", "subscriptions.id", "payment_transactions.subscription_id")
    .select("subscriptions.external_subscription_id")
    .where("payment_transactions.provider", "=", provider)
    .where("external_payment_id", "=", externalPaymentId)
    .executeTakeFirst()
    .then((row) => row?.external_subscription_id ?? null);

/** Inserts or updates a payment. Each payment of a provider has one row, even if it is read many times. */
export const upsertPayment = (
  tx: Tx,
  subscriptionId: string,
  provider: Provider,
  { external_payment_id, amount, currency, ...state }: Payment,
  now: Date,
) =>
  tx
    .insertInto("payment_transactions")
    .values({
      subscription_id: subscriptionId,
      provider,
      external_payment_id,
      amount,
      currency,
      ...state,
      created_at: now,
    })
    .onConflict((conflict) => conflict.constraint("payment_transactions_external_key").doUpdateSet(state))
    .returning("id")
    .executeTakeFirstOrThrow()
    .then((row) => row.id);

/** The data of a receipt. `is_first` distinguishes the first payment of a membership from a renewal. */
export const receiptData = (db: Db, paymentId: string) =>
  db
    .selectFrom("payment_transactions as payment")
    .innerJoin("subscriptions", "subscriptions.id", "payment.subscription_id")
    .innerJoin("checkouts", "checkouts.id", "subscriptions.checkout_id")
    .innerJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .select([
      "profiles.full_name",
      "profiles.email",
      "subscriptions.provider",
      "subscriptions.plan_type",
      "subscriptions.status",
      "subscriptions.ended_by",
      "subscriptions.next_billing_date",
      "subscriptions.provisional_until",
      "checkouts.state",
      "checkouts.failing_since",
      "payment.amount",
      "payment.currency",
      "payment.paid_at",
      "payment.external_payment_id",
    ])
    .select(
      sql<boolean>`not exists (select from payment_transactions earlier where earlier.subscription_id = payment.subscription_id
        and earlier.paid_at < payment.paid_at and earlier.status not in ('pending', 'failed'))`.as("is_first"),
    )
    .where("payment.id", "=", paymentId)
    .executeTakeFirst();
