import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { AnalyticsEvent, Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { Membership, Payment, Problem } from "./rules.ts";

/**
 * Locks a psychologist before anything about their membership is read: two payments are never settled at the same time.
 */
export const lockPsychologist = (tx: Tx, id: string) =>
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
    ])
    .select(["ended_by", "provider_state", "provider_as_of", "provider_next_date", "read_at"])
    .select(["grace_from", "provisional_until"])
    .select(["cancel_requested_at", "cancel_tries", "cancel_tried_at", "cancel_confirmed_at"]);
export type SubscriptionRow = Awaited<ReturnType<typeof subscriptionsOf>>[number];

export const subscriptionsOf = (db: Db | Tx, psychologistId: string) =>
  subscriptions(db)
    .where("psychologist_id", "=", psychologistId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();

/** The one membership whose status is active; its month may be over. */
export const currentSubscription = (db: Db | Tx, psychologistId: string) =>
  subscriptions(db)
    .where("psychologist_id", "=", psychologistId)
    .where("status", "=", "active")
    .executeTakeFirst()
    .then((row) => row ?? null);

export const subscriptionById = (db: Db | Tx, id: string) => subscriptions(db).where("id", "=", id).executeTakeFirst();

export const subscriptionByExternalId = (db: Db | Tx, provider: string, externalId: string) =>
  subscriptions(db)
    .where("provider", "=", provider)
    .where("external_subscription_id", "=", externalId)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const ownSubscriptionByExternalId = (db: Db, psychologistId: string, externalId: string) =>
  subscriptions(db)
    .where("psychologist_id", "=", psychologistId)
    .where("external_subscription_id", "=", externalId)
    .orderBy("created_at", "desc")
    .executeTakeFirst();

const payments = (db: Db | Tx) =>
  db
    .selectFrom("payment_transactions")
    .select(["id", "subscription_id", "external_payment_id", "amount", "currency", "status", "refunded_amount"])
    .select(["dispute", "external_dispute_id", "paid_at", "as_of", "created_at"])
    .$narrowType<Pick<Payment, "status" | "dispute">>();
export type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number];

/** A psychologist's payments, the newest first. */
export const paymentsOf = (db: Db, psychologistId: string) =>
  payments(db)
    .where("subscription_id", "in", (inner) =>
      inner.selectFrom("subscriptions").select("id").where("psychologist_id", "=", psychologistId),
    )
    .orderBy("paid_at", "desc")
    .orderBy("external_payment_id")
    .limit(500)
    .execute();

export const paymentsOfSubscription = (db: Db | Tx, subscriptionId: string) =>
  payments(db).where("subscription_id", "=", subscriptionId).orderBy("paid_at").limit(500).execute();

/** The provider's id of the subscription that a known payment belongs to. */
export const subscriptionIdOfPayment = (db: Db, provider: string, externalPaymentId: string) =>
  db
    .selectFrom("payment_transactions")
    .innerJoin("subscriptions", "subscriptions.id", "payment_transactions.subscription_id")
    .select("subscriptions.external_subscription_id")
    .where("payment_transactions.provider", "=", provider)
    .where("external_payment_id", "=", externalPaymentId)
    .executeTakeFirst()
    .then((row) => row?.external_subscription_id ?? null);

/** How many lifetime memberships were sold and not refunded, those of deleted accounts included. */
export const lifetimeSold = (db: Db) =>
  db
    .selectFrom("subscriptions")
    .select(sql<number>`count(*)::integer`.as("n"))
    .where("plan_type", "=", "lifetime")
    .where((either) => either.or([either("status", "=", "active"), either("ended_by", "=", "person")]))
    .executeTakeFirstOrThrow()
    .then((row) => row.n);

export const insertSubscription = (
  tx: Tx,
  row: {
    psychologist_id: string;
    provider: Provider;
    external_subscription_id: string;
    plan_type: string;
    amount: number;
    currency: string;
    created_at: Date;
  } & SettledMembership,
) => tx.insertInto("subscriptions").values(row).returning("id").executeTakeFirstOrThrow();

/** The columns that a settlement writes. */
export type SettledMembership = Omit<Membership, "plan_type" | "read_at"> & { read_at: Date };

export const updateSubscription = (tx: Tx, id: string, row: SettledMembership) =>
  tx.updateTable("subscriptions").set(row).where("id", "=", id).execute();

/**
 * Whether a psychologist had provisional access with another provider subscription that ended before it was ever paid.
 */
export const hadUnpaidProvisionalAccess = (tx: Tx, psychologistId: string, externalId: string, now: Date) =>
  tx
    .selectFrom("subscriptions")
    .select("id")
    .where("psychologist_id", "=", psychologistId)
    .where("external_subscription_id", "!=", externalId)
    .where("provisional_until", "is not", null)
    .where((where) => where.or([where("ended_by", "is", null), where("ended_by", "!=", "paid_twice")]))
    .where((where) => where.or([where("status", "!=", "active"), where("provisional_until", "<=", now)]))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("payment_transactions as payment")
            .select("payment.id")
            .whereRef("payment.subscription_id", "=", "subscriptions.id")
            .where("payment.status", "not in", ["pending", "failed"]),
        ),
      ),
    )
    .executeTakeFirst()
    .then((row) => row !== undefined);

/** Ends a membership by a decision of ours. `cancel_requested_at` is set where it must be cancelled at the provider. */
export const endSubscription = (
  tx: Tx,
  id: string,
  row: { ended_by: "person" | "replaced"; cancelled_at: Date; cancel_requested_at: Date | null },
) =>
  tx
    .updateTable("subscriptions")
    .set({ ...row, status: "cancelled" })
    .where("id", "=", id)
    .execute();

/** Inserts or updates a payment. Each payment of a provider has one row, however often it is read. */
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

/** Stores until when Gold lasts, and through which membership. Call it with the row locked. */
export const setGold = (
  tx: Tx,
  psychologistId: string,
  gold: { gold_until: Date | "infinity" | null; subscription_id: string | null },
) => tx.updateTable("psychologist_profiles").set(gold).where("id", "=", psychologistId).execute();

const checkouts = (db: Db | Tx) =>
  db
    .selectFrom("checkouts")
    .select(["id", "psychologist_id", "provider", "method", "external_id", "plan_type", "amount", "currency"])
    .select(["status", "pay_url", "payment_pending", "provider_plan_id", "created_at", "read_at"]);
export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof ownCheckout>>>;

export const insertCheckout = (
  tx: Tx,
  row: {
    psychologist_id: string;
    provider: Provider;
    method: PaymentMethod;
    external_id: string | null;
    plan_type: PlanType;
    amount: number;
    currency: string;
    payer_email?: string;
    provider_plan_id?: string | null;
    created_at: Date;
  },
) => tx.insertInto("checkouts").values(row).returning("id").executeTakeFirstOrThrow();

export const ownCheckout = (db: Db | Tx, psychologistId: string, id: string) =>
  checkouts(db).where("id", "=", id).where("psychologist_id", "=", psychologistId).executeTakeFirst();

export const checkoutById = (db: Db | Tx, provider: string, id: string) =>
  checkouts(db)
    .where("provider", "=", provider)
    .where("id", "=", id)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const checkoutByExternalId = (db: Db | Tx, provider: string, externalId: string) =>
  checkouts(db)
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
  checkouts(tx)
    .where("psychologist_id", "=", psychologistId)
    .where("provider", "=", provider)
    .where("plan_type", "=", plan_type)
    .where("payer_email", "=", payer_email)
    .where("status", "=", "open")
    .where("pay_url", "is not", null)
    .where("created_at", ">", since)
    .orderBy("created_at", "desc")
    .executeTakeFirst();

/** The newest checkout of a psychologist with a pending payment. */
export const checkoutWithPendingPayment = (db: Db, psychologistId: string) =>
  checkouts(db)
    .where("psychologist_id", "=", psychologistId)
    .where("status", "=", "open")
    .where("payment_pending", "=", true)
    .orderBy("created_at", "desc")
    .executeTakeFirst();

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

export const insertTestCheckout = (
  tx: Tx,
  row: { id: string; plan_type: PlanType; amount: number; currency: Currency; payment_id: string },
) => tx.insertInto("test_checkouts").values(row).execute();

export const testCheckout = (db: Db, id: string) =>
  db
    .selectFrom("test_checkouts")
    .select(["id", "plan_type", "amount", "currency", "status", "payment_id", "decided_at"])
    .where("id", "=", id)
    .executeTakeFirst();

/** The id of another test checkout of the psychologist that was approved and is not reconciled yet. */
export const approvedUnreadTestCheckout = (tx: Tx, psychologistId: string, exceptAttempt: string) =>
  tx
    .selectFrom("checkouts as checkout")
    .innerJoin("test_checkouts", "test_checkouts.id", "checkout.external_id")
    .select("test_checkouts.id")
    .where("checkout.psychologist_id", "=", psychologistId)
    .where("checkout.id", "!=", exceptAttempt)
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

/** The data of a receipt. `is_first` tells the first payment of a membership from a renewal. */
export const receiptData = (db: Db, paymentId: string) =>
  db
    .selectFrom("payment_transactions as payment")
    .innerJoin("subscriptions", "subscriptions.id", "payment.subscription_id")
    .innerJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .select([
      "profiles.full_name",
      "profiles.email",
      "subscriptions.provider",
      "subscriptions.plan_type",
      "subscriptions.next_billing_date",
      "subscriptions.provider_state",
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

/** Reports a problem to the administrator; one that was handled stays handled. */
export const reportProblem = (
  db: Db | Tx,
  row: Pick<Problem, "reason"> & {
    kind: Problem["kind"] | "unmatched";
    provider: string;
    external_id: string;
    psychologist_id?: string | null;
    subscription_id?: string | null;
    created_at: Date;
  },
) =>
  db
    .insertInto("payment_problems")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .constraint("payment_problems_subject_key")
        .doUpdateSet((eb) => ({
          reason: eb.ref("excluded.reason"),
          settled_at: null,
          psychologist_id: eb.ref("excluded.psychologist_id"),
          subscription_id: eb.ref("excluded.subscription_id"),
        }))
        .where("payment_problems.settled_at", "is not", null),
    )
    .returning("id")
    .executeTakeFirst();

/** Resolves the problems of some kinds of a membership that are not in `still`. */
export const resolveProblems = (
  tx: Tx,
  subscriptionId: string,
  kinds: readonly string[],
  still: readonly { kind: string; external_id: string }[],
  now: Date,
) => {
  let query = tx
    .updateTable("payment_problems")
    .set({ settled_at: now })
    .where("subscription_id", "=", subscriptionId)
    .where("kind", "in", kinds)
    .where("settled_at", "is", null);
  if (still.length)
    query = query.where((where) =>
      where.not(
        where.or(
          still.map(({ kind, external_id }) =>
            where.and([where("kind", "=", kind), where("external_id", "=", external_id)]),
          ),
        ),
      ),
    );
  return query.execute();
};

const events = (db: Db | Tx) =>
  db.selectFrom("webhook_events").select(["id", "provider", "subject", "subject_id", "status", "tries", "received_at"]);
export type WebhookEventRow = Awaited<ReturnType<typeof webhookEventsToRetry>>[number];

/** Stores a webhook event, or finds the row of an earlier delivery. */
export async function insertWebhookEvent(
  db: Db,
  row: { provider: string; event_id: string; subject: string; subject_id: string; received_at: Date },
): Promise<WebhookEventRow> {
  await db
    .insertInto("webhook_events")
    .values(row)
    .onConflict((conflict) => conflict.constraint("webhook_events_event_key").doNothing())
    .execute();
  return events(db).where("provider", "=", row.provider).where("event_id", "=", row.event_id).executeTakeFirstOrThrow();
}

/** Handling a webhook event ended with this status. */
export const setWebhookEventStatus = (db: Db, id: string, status: "done" | "unmatched" | "given_up", now: Date) =>
  db
    .updateTable("webhook_events")
    .set((eb) => ({ status, tries: eb("tries", "+", 1), tried_at: now }))
    .where("id", "=", id)
    .execute();

/** Handling a webhook event failed this time. */
export const countWebhookEventTry = (db: Db, id: string, now: Date) =>
  db
    .updateTable("webhook_events")
    .set((eb) => ({ tries: eb("tries", "+", 1), tried_at: now }))
    .where("id", "=", id)
    .execute();

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

/** Unhandled webhook events that were received and last tried before a moment, the longest waiting first. */
export const webhookEventsToRetry = (db: Db, provider: string, before: Date) =>
  events(db)
    .where("provider", "=", provider)
    .where("status", "in", ["received", "unmatched"])
    .where("received_at", "<", before)
    .where((where) => where.or([where("tried_at", "is", null), where("tried_at", "<", before)]))
    .orderBy((eb) => eb.fn.coalesce("tried_at", "received_at"))
    .limit(200)
    .execute();

/** The ids among these that no stored webhook event has. */
export const unseenWebhookEvents = async (db: Db, provider: string, ids: string[]): Promise<Set<string>> => {
  const seen = ids.length
    ? await db
        .selectFrom("webhook_events")
        .select("event_id")
        .where("provider", "=", provider)
        .where("event_id", "in", ids)
        .execute()
    : [];
  const known = new Set(seen.map((row) => row.event_id));
  return new Set(ids.filter((id) => !known.has(id)));
};

/** Deletes handled webhook events received before a moment. */
export const deleteWebhookEventsBefore = (db: Db, before: Date) =>
  db
    .deleteFrom("webhook_events")
    .where("status", "in", ["done", "given_up"])
    .where("received_at", "<", before)
    .execute();

export const webhookEventsReadUntil = (db: Db, provider: string) =>
  db
    .selectFrom("payment_sweeps")
    .select("events_read_until")
    .where("provider", "=", provider)
    .executeTakeFirst()
    .then((row) => row?.events_read_until ?? null);

export const setWebhookEventsReadUntil = (db: Db, provider: string, events_read_until: Date) =>
  db
    .insertInto("payment_sweeps")
    .values({ provider, events_read_until })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet({ events_read_until }))
    .execute();

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

/**
 * Checkouts to read: begun between `givenUp` and `patience`, the older the less often, since most were abandoned.
 * Failed and expired ones are included: at the provider they may still be paid.
 */
export const checkoutsToRead = (db: Db, provider: string, now: Date, patience: Date, givenUp: Date) =>
  checkouts(db)
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

/** The provider knew nothing of a membership: others are read before it the next time. */
export const markSubscriptionRead = (db: Db, id: string, now: Date) =>
  db.updateTable("subscriptions").set({ read_at: now }).where("id", "=", id).execute();

/**
 * Memberships to read. Those at their date (`due`) are read each time, less often as the date recedes, and no longer
 * once it is 90 days ago; before their date, monthly ones are read daily and lifetime ones weekly, so that no change is
 * missed for good. One that ended while its provider may go on charging it, or after a refund, is read daily for 180
 * days.
 */
export const subscriptionsToRead = (db: Db, provider: string, now: Date, due: Date) =>
  subscriptions(db)
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

/** Cancellations that the provider has not confirmed, last tried before a moment. */
export const cancellationsToRetry = (db: Db, provider: string, before: Date) =>
  subscriptions(db)
    .where("provider", "=", provider)
    .where("cancel_requested_at", "<", before)
    .where("cancel_confirmed_at", "is", null)
    .where((where) => where.or([where("cancel_tried_at", "is", null), where("cancel_tried_at", "<", before)]))
    .orderBy("cancel_requested_at")
    .limit(100)
    .execute();

const selectUnhandledProblems = (db: Db | Tx) =>
  db
    .selectFrom("payment_problems as problem")
    .leftJoin("profiles", "profiles.id", "problem.psychologist_id")
    .select([
      "problem.id",
      "problem.kind",
      "problem.provider",
      "problem.external_id",
      "problem.reason",
      "problem.psychologist_id",
      "profiles.full_name",
      "profiles.email",
      "problem.created_at",
    ])
    .where("settled_at", "is", null)
    .where("handled_at", "is", null);

/** Problems that are neither handled nor resolved, the oldest first. */
export const unhandledProblems = (db: Db) =>
  selectUnhandledProblems(db)
    .orderBy("problem.created_at")
    .orderBy("problem.id")
    .limit(LIMITS.paymentMatters)
    .execute();
export type ProblemRow = Awaited<ReturnType<typeof unhandledProblems>>[number];

/** Locks and reads an unhandled problem; of two who handle it at the same time one finds nothing. */
export async function lockProblem(tx: Tx, id: string): Promise<ProblemRow | undefined> {
  await tx.selectFrom("payment_problems").select("id").where("id", "=", id).forUpdate().execute();
  return selectUnhandledProblems(tx).where("problem.id", "=", id).executeTakeFirst();
}

export const markProblemHandled = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("payment_problems").set({ handled_at: now }).where("id", "=", id).execute();

/** Cancellations that the provider has not confirmed, the oldest first. */
export const unconfirmedCancellations = (db: Db) =>
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
    .orderBy("cancel_requested_at")
    .limit(LIMITS.paymentMatters)
    .execute();
export type CancellationRow = Awaited<ReturnType<typeof unconfirmedCancellations>>[number];
