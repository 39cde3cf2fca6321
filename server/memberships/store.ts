/** Table `subscriptions`: memberships, each with the checkout that it began with. */
import { sql } from "kysely";
import type { Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { GoldEnd, Membership } from "./rules.ts";

/**
 * Locks a psychologist before anything about their membership is read: two payments are never settled at the same time.
 */
export const lockMember = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["id", "is_verified"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** True if a psychologist is verified. @returns undefined if the id is unknown */
export const verifiedOf = (db: Db | Tx, id: string) =>
  db.selectFrom("psychologist_profiles").select("is_verified").where("id", "=", id).executeTakeFirst();

const selectMemberships = (db: Db | Tx) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("checkouts", "checkouts.id", "subscriptions.checkout_id")
    .selectAll("subscriptions")
    .select(["checkouts.state", "checkouts.failing_since", "checkouts.end_wanted_at", "checkouts.end_confirmed_at"]);
export type MembershipRow = Awaited<ReturnType<typeof membershipsOfPsychologist>>[number];

export const membershipsOfPsychologist = (db: Db | Tx, psychologistId: string) =>
  selectMemberships(db)
    .where("subscriptions.psychologist_id", "=", psychologistId)
    .orderBy("subscriptions.created_at", "desc")
    .orderBy("subscriptions.id", "desc")
    .limit(100)
    .execute();

/** The one membership whose status is active; its month may be over. */
export const currentMembership = (db: Db | Tx, psychologistId: string) =>
  selectMemberships(db)
    .where("subscriptions.psychologist_id", "=", psychologistId)
    .where("subscriptions.status", "=", "active")
    .executeTakeFirst()
    .then((row) => row ?? null);

export const membershipById = (db: Db | Tx, id: string) =>
  selectMemberships(db).where("subscriptions.id", "=", id).executeTakeFirst();

export const membershipOfCheckout = (db: Db | Tx, checkoutId: string) =>
  selectMemberships(db)
    .where("subscriptions.checkout_id", "=", checkoutId)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const ownMembershipByExternalId = (db: Db, psychologistId: string, externalId: string) =>
  selectMemberships(db)
    .where("subscriptions.psychologist_id", "=", psychologistId)
    .where("subscriptions.external_subscription_id", "=", externalId)
    .orderBy("subscriptions.created_at", "desc")
    .executeTakeFirst();

/** Number of lifetime memberships sold and not refunded, including deleted accounts. */
export const lifetimeSold = (db: Db) =>
  db
    .selectFrom("subscriptions")
    .select(sql<number>`count(*)::integer`.as("n"))
    .where("plan_type", "=", "lifetime")
    .where((either) => either.or([either("status", "=", "active"), either("ended_by", "in", ["person", "admin"])]))
    .executeTakeFirstOrThrow()
    .then((row) => row.n);

/** The columns that a settlement writes. */
export type SettledMembership = Pick<
  Membership,
  "status" | "ended_by" | "cancelled_at" | "next_billing_date" | "provider_next_billing_date" | "provisional_until"
>;

export const insertMembership = (
  tx: Tx,
  row: {
    checkout_id: string;
    psychologist_id: string | null;
    provider: Provider;
    external_subscription_id: string;
    plan_type: string;
    amount: number;
    currency: string;
    created_at: Date;
  } & SettledMembership,
) => tx.insertInto("subscriptions").values(row).returning("id").executeTakeFirstOrThrow();

export const updateMembership = (tx: Tx, id: string, row: SettledMembership) =>
  tx.updateTable("subscriptions").set(row).where("id", "=", id).execute();

/**
 * Whether a psychologist had provisional access with another checkout that ended before it was ever paid.
 */
export const hadUnpaidProvisionalAccess = (tx: Tx, psychologistId: string, exceptCheckoutId: string, now: Date) =>
  sql`select from subscriptions where psychologist_id = ${psychologistId} and checkout_id <> ${exceptCheckoutId}
    and provisional_until is not null and ended_by is distinct from 'duplicate_payment'
    and (status <> 'active' or provisional_until <= ${now}) and not exists (select from payment_transactions payment
      where payment.subscription_id = subscriptions.id and payment.status not in ('pending', 'failed'))`
    .execute(tx)
    .then(({ rows }) => rows.length > 0);

/** The psychologist of a membership. @returns undefined if the account is deleted */
export const payerOf = (db: Db, subscriptionId: string) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .select(["profiles.full_name", "profiles.email", "subscriptions.provider"])
    .where("subscriptions.id", "=", subscriptionId)
    .executeTakeFirst();

/** A cancelled membership, with the Gold that its owner has left; undefined once the account is deleted. */
export const cancelledMembership = (db: Db, id: string) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("profiles", "profiles.id", "subscriptions.psychologist_id")
    .innerJoin("psychologist_profiles", "psychologist_profiles.id", "profiles.id")
    .select(["profiles.full_name", "profiles.email", "provider", "ended_by", "cancelled_at", "next_billing_date"])
    // The driver reads "infinity" as a number.
    .select(sql<Date | number | null>`gold_until`.as("gold_until"))
    .where("subscriptions.id", "=", id)
    .executeTakeFirst();

/** Gives the membership of a payment that did not match to its confirmed owner, so that it can be settled again. */
export const reopenMembership = (tx: Tx, checkoutId: string, psychologistId: string) =>
  tx
    .updateTable("subscriptions")
    .set({ psychologist_id: psychologistId, ended_by: "provider" })
    .where("checkout_id", "=", checkoutId)
    .where("ended_by", "=", "mismatch")
    .execute();

/** Ends a membership by a decision of ours. */
export const markMembershipEnded = (
  tx: Tx,
  id: string,
  row: { ended_by: "person" | "replaced" | "admin"; cancelled_at: Date },
) =>
  tx
    .updateTable("subscriptions")
    .set({ ...row, status: "cancelled" })
    .where("id", "=", id)
    .execute();

/** The administrator closes a cancellation: it is not sent any more. */
export const markEndClosed = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("subscriptions").set({ end_closed_at: now }).where("id", "=", id).execute();

/** Stores until when Gold lasts, and through which membership. Only `updateGold` calls it. */
export const setGoldUntil = (
  tx: Tx,
  psychologistId: string,
  gold: { gold_until: GoldEnd; subscription_id: string | null },
) => tx.updateTable("psychologist_profiles").set(gold).where("id", "=", psychologistId).execute();
