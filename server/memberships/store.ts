import { sql } from "kysely";
import type { AnalyticsEvent, Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../db.ts";

/** Locks a psychologist, before anything about their membership is read: two payments never settle at the same time. */
export const lockMember = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["id", "is_verified"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

const subscriptions = (db: Db | Tx) =>
  db
    .selectFrom("subscriptions")
    .select([
      "id",
      "psychologist_id",
      "provider",
      "external_subscription_id",
      "plan_type",
      "amount",
      "currency",
      "status",
      "next_billing_date",
      "cancelled_at",
      "created_at",
    ]);
export type SubscriptionRow = Awaited<ReturnType<typeof subscriptionsOf>>[number];

export const subscriptionsOf = (db: Db, psychologistId: string) =>
  subscriptions(db)
    .where("psychologist_id", "=", psychologistId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();

/** The one membership whose status is active; its month may be over all the same. */
export const heldSubscription = (db: Db | Tx, psychologistId: string) =>
  subscriptions(db)
    .where("psychologist_id", "=", psychologistId)
    .where("status", "=", "active")
    .executeTakeFirst()
    .then((row) => row ?? null);

export const subscriptionById = (db: Db | Tx, id: string) => subscriptions(db).where("id", "=", id).executeTakeFirst();

export const subscriptionByExternalId = (tx: Tx, provider: string, externalId: string) =>
  subscriptions(tx)
    .where("provider", "=", provider)
    .where("external_subscription_id", "=", externalId)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const paymentsOf = (db: Db, psychologistId: string) =>
  db
    .selectFrom("payment_transactions")
    .innerJoin("subscriptions", "subscriptions.id", "payment_transactions.subscription_id")
    .select([
      "payment_transactions.subscription_id",
      "payment_transactions.external_payment_id",
      "payment_transactions.amount",
      "payment_transactions.currency",
      "payment_transactions.status",
      "payment_transactions.created_at",
    ])
    .where("subscriptions.psychologist_id", "=", psychologistId)
    .orderBy("payment_transactions.created_at", "desc")
    .limit(500)
    .execute();
export type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number];

/** How many lifetime memberships were sold. None is ever cancelled but one that was paid twice. */
export const lifetimeSold = (db: Db) =>
  db
    .selectFrom("subscriptions")
    .select(sql<number>`count(*)::integer`.as("n"))
    .where("plan_type", "=", "lifetime")
    .where("status", "=", "active")
    .executeTakeFirstOrThrow()
    .then((row) => row.n);

export const insertSubscription = (
  tx: Tx,
  row: {
    psychologist_id: string;
    provider: Provider;
    external_subscription_id: string;
    plan_type: PlanType;
    amount: number;
    currency: Currency;
    status: "active" | "cancelled";
    next_billing_date: Date | null;
    cancelled_at: Date | null;
    created_at: Date;
  },
) => tx.insertInto("subscriptions").values(row).returning("id").executeTakeFirstOrThrow();

export const endSubscription = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("subscriptions").set({ status: "cancelled", cancelled_at: now }).where("id", "=", id).execute();

/** One payment counts once, however often it is told. */
export const insertPayment = (
  tx: Tx,
  row: {
    subscription_id: string;
    provider: Provider;
    external_payment_id: string;
    amount: number;
    currency: Currency;
    status: string;
    created_at: Date;
  },
) =>
  tx
    .insertInto("payment_transactions")
    .values(row)
    .onConflict((conflict) => conflict.constraint("payment_transactions_external_key").doNothing())
    .execute();

/** Writes down until when Gold lasts, and through which membership. Call it with the row locked. */
export const setGold = (
  tx: Tx,
  psychologistId: string,
  gold: { gold_until: Date | "infinity" | null; subscription_id: string | null },
) => tx.updateTable("psychologist_profiles").set(gold).where("id", "=", psychologistId).execute();

const attempts = (db: Db | Tx) =>
  db
    .selectFrom("checkout_attempts")
    .select(["id", "psychologist_id", "provider", "method", "external_id", "plan_type", "amount", "currency"])
    .select(["status", "created_at"]);
export type AttemptRow = NonNullable<Awaited<ReturnType<typeof ownAttempt>>>;

export const insertAttempt = (
  tx: Tx,
  row: {
    psychologist_id: string;
    provider: Provider;
    method: PaymentMethod;
    external_id: string;
    plan_type: PlanType;
    amount: number;
    currency: Currency;
    created_at: Date;
  },
) => tx.insertInto("checkout_attempts").values(row).returning("id").executeTakeFirstOrThrow();

export const ownAttempt = (db: Db | Tx, psychologistId: string, id: string) =>
  attempts(db).where("id", "=", id).where("psychologist_id", "=", psychologistId).executeTakeFirst();

export const attemptByExternalId = (db: Db | Tx, provider: string, externalId: string) =>
  attempts(db).where("provider", "=", provider).where("external_id", "=", externalId).executeTakeFirst();

export const settleAttempt = (tx: Tx, id: string, status: "paid" | "failed", now: Date) =>
  tx.updateTable("checkout_attempts").set({ status, settled_at: now }).where("id", "=", id).execute();

/** Gives up what nobody has paid in time. */
export const expireAttempts = (db: Db, now: Date, before: Date) =>
  db
    .updateTable("checkout_attempts")
    .set({ status: "expired", settled_at: now })
    .where("status", "=", "open")
    .where("created_at", "<", before)
    .execute();

export const insertTestCheckout = (
  tx: Tx,
  row: { id: string; plan_type: PlanType; amount: number; currency: Currency; payment_id: string },
) => tx.insertInto("test_checkouts").values(row).execute();

export const testCheckout = (db: Db, id: string) =>
  db
    .selectFrom("test_checkouts")
    .select(["id", "plan_type", "amount", "currency", "status", "payment_id"])
    .where("id", "=", id)
    .executeTakeFirst();

/** What was decided first stays. */
export const decideTestCheckout = (tx: Tx, id: string, status: "approved" | "rejected") =>
  tx.updateTable("test_checkouts").set({ status }).where("id", "=", id).where("status", "=", "open").execute();

/** Writes down that something happened within this hour, and nothing of who did it. */
export const insertEvent = (
  db: Db | Tx,
  event: { name: AnalyticsEvent; plan_type?: PlanType; method?: PaymentMethod; happened_at: Date },
) =>
  db
    .insertInto("analytics_events")
    .values({ ...event, happened_at: sql`date_trunc('hour', ${event.happened_at}::timestamptz, 'UTC')` })
    .execute();

/** How often each event happened since a moment. */
export const countEvents = (db: Db, since: Date) =>
  db
    .selectFrom("analytics_events")
    .select(["name", sql<number>`count(*)::integer`.as("n")])
    .where("happened_at", ">=", since)
    .groupBy("name")
    .execute();

/** What a receipt says. */
export const receiptFacts = (db: Db, subscriptionId: string) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .leftJoin("payment_transactions", "payment_transactions.subscription_id", "subscriptions.id")
    .select([
      "profiles.full_name",
      "profiles.email",
      "subscriptions.provider",
      "subscriptions.plan_type",
      "subscriptions.amount",
      "subscriptions.currency",
      "subscriptions.next_billing_date",
      "subscriptions.created_at",
      "payment_transactions.external_payment_id",
    ])
    .where("subscriptions.id", "=", subscriptionId)
    .orderBy("payment_transactions.created_at")
    .limit(1)
    .executeTakeFirst();
