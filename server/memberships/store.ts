/** Memberships, and tables `payment_transactions` and `analytics_events`. */
import { sql } from "kysely";
import type { AnalyticsEvent, Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { Payment } from "../integrations/payment-provider.ts";
import { type MembershipColumns, selectCheckouts } from "./checkouts/store.ts";

/** Locks a psychologist before anything about their membership is read: two payments are never settled at once. */
export const lockMember = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["id", "is_verified"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

const selectMemberships = (db: Db | Tx) =>
  selectCheckouts(db).where("status", "is not", null).$narrowType<MembershipColumns>();

/** A psychologist's memberships, the newest first. */
const selectOfPsychologist = (db: Db | Tx, psychologistId: string) =>
  selectMemberships(db).where("psychologist_id", "=", psychologistId).orderBy("began_at", "desc").orderBy("id", "desc");

export const membershipsOfPsychologist = (db: Db | Tx, psychologistId: string) =>
  selectOfPsychologist(db, psychologistId).limit(100).execute();

/** The one membership whose status is active; its month may be over. */
export const currentMembership = async (db: Db | Tx, psychologistId: string) =>
  (await selectOfPsychologist(db, psychologistId).where("status", "=", "active").executeTakeFirst()) ?? null;

/** Number of lifetime memberships sold and not refunded, including deleted accounts. */
export const lifetimeSold = (db: Db) =>
  db
    .selectFrom("checkouts")
    .select(sql<number>`count(*)::integer`.as("n"))
    .where("plan_type", "=", "lifetime")
    .where((either) => either.or([either("status", "=", "active"), either("ended_by", "in", ["person", "admin"])]))
    .executeTakeFirstOrThrow()
    .then((row) => row.n);

/** True if a psychologist had provisional access with another checkout that ended before it was ever paid. */
export const hadUnpaidProvisionalAccess = (tx: Tx, psychologistId: string, exceptCheckoutId: string, now: Date) =>
  sql`select from checkouts where psychologist_id = ${psychologistId} and id <> ${exceptCheckoutId}
    and provisional_until is not null and ended_by is distinct from 'duplicate_payment'
    and (status <> 'active' or provisional_until <= ${now}) and not exists (select from payment_transactions payment
      where payment.subscription_id = checkouts.id and payment.status not in ('pending', 'failed'))`
    .execute(tx)
    .then(({ rows }) => rows.length > 0);

/** A membership with its owner, and the Gold that the owner has left. @returns undefined once the account is deleted */
export const membershipToMail = (db: Db, id: string) =>
  selectMemberships(db)
    .innerJoin("profiles", "profiles.id", "psychologist_id")
    .innerJoin("psychologist_profiles", "psychologist_profiles.id", "profiles.id")
    .select(["profiles.full_name", "profiles.email"])
    // The driver reads "infinity" as a number.
    .select(sql<Date | number | null>`gold_until`.as("gold_until"))
    .where("checkouts.id", "=", id)
    .executeTakeFirst();

const selectPayments = (db: Db | Tx) =>
  db
    .selectFrom("payment_transactions")
    .selectAll()
    .$narrowType<Pick<Payment, "status" | "dispute"> & { currency: Currency }>();
export type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number];

/** A psychologist's payments, the newest first. */
export const paymentsOf = (db: Db, psychologistId: string) =>
  selectPayments(db)
    .where("subscription_id", "in", (inner) =>
      inner.selectFrom("checkouts").select("id").where("psychologist_id", "=", psychologistId),
    )
    .orderBy("paid_at", "desc")
    .orderBy("external_payment_id")
    .limit(500)
    .execute();

/** The payments of a membership, the oldest first. */
export const paymentsOfMembership = (db: Db | Tx, id: string) =>
  selectPayments(db).where("subscription_id", "=", id).orderBy("paid_at").limit(500).execute();

/** The provider's id of the subscription that a known payment belongs to. */
export const providerSubscriptionOfPayment = async (db: Db, provider: string, externalPaymentId: string) => {
  const row = await db
    .selectFrom("payment_transactions")
    .innerJoin("checkouts", "checkouts.id", "subscription_id")
    .select("external_id")
    .where("payment_transactions.provider", "=", provider)
    .where("external_payment_id", "=", externalPaymentId)
    .executeTakeFirst();
  return row?.external_id ?? null;
};

/** Inserts or updates a payment. Each payment of a provider has one row, even if it is read many times. */
export const upsertPayment = (
  tx: Tx,
  key: { subscription_id: string; provider: Provider },
  { external_payment_id, amount, currency, ...state }: Payment,
  created_at: Date,
) =>
  tx
    .insertInto("payment_transactions")
    .values({ ...key, external_payment_id, amount, currency, ...state, created_at })
    .onConflict((conflict) => conflict.constraint("payment_transactions_external_key").doUpdateSet(state))
    .returning("id")
    .executeTakeFirstOrThrow();

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
export const countAnalyticsEvents = (db: Db, since: Date) => {
  const times = (event: AnalyticsEvent) => sql<number>`(count(*) filter (where name = ${event}))::integer`.as(event);
  return db
    .selectFrom("analytics_events")
    .select([times("view_premium_plans"), times("plan_selection"), times("subscription_success")])
    .where("happened_at", ">=", since)
    .executeTakeFirstOrThrow();
};
