/** Table `checkouts`: one row for each thing at a provider, with the date of its next reading. */
import { sql } from "kysely";
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";
import { CHECKOUT_TRACKING, CONFIRMATION_TIME } from "./rules.ts";

/** Checkouts, each with the end of its membership. `is_settled` is true if it has a membership. */
const selectCheckouts = (db: Db | Tx) =>
  db
    .selectFrom("checkouts")
    .leftJoin("subscriptions", "subscriptions.checkout_id", "checkouts.id")
    .selectAll("checkouts")
    .select("subscriptions.ended_by")
    .select(sql<boolean>`subscriptions.id is not null`.as("is_settled"));
export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof checkoutById>>>;

export const insertCheckout = (
  tx: Tx,
  row: {
    psychologist_id: string | null;
    provider: Provider;
    method: PaymentMethod;
    external_id?: string;
    plan_type: PlanType;
    amount: number;
    currency: string;
    payer_email?: string;
    provider_plan_id?: string | null;
    owner_confirmed_at?: Date;
    created_at: Date;
  },
) => tx.insertInto("checkouts").values(row).returning("id").executeTakeFirstOrThrow();

export const checkoutById = (db: Db | Tx, id: string) =>
  selectCheckouts(db)
    .where("checkouts.id", "=", id)
    .executeTakeFirst()
    .then((row) => row ?? null);

export const ownCheckout = (db: Db | Tx, psychologistId: string, id: string) =>
  selectCheckouts(db)
    .where("checkouts.id", "=", id)
    .where("checkouts.psychologist_id", "=", psychologistId)
    .executeTakeFirst();

export const checkoutByExternalId = (db: Db | Tx, provider: string, externalId: string) =>
  selectCheckouts(db)
    .where("checkouts.provider", "=", provider)
    .where("checkouts.external_id", "=", externalId)
    .executeTakeFirst()
    .then((row) => row ?? null);

/** Locks a checkout, then reads it. @returns null if it is deleted */
export async function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow | null> {
  await tx.selectFrom("checkouts").select("id").where("id", "=", id).forUpdate().execute();
  return checkoutById(tx, id);
}

/** A checkout for the same plan and the same payer that can still be paid. */
export const reusableCheckout = (
  tx: Tx,
  psychologistId: string,
  { provider, plan_type, payer_email }: { provider: Provider; plan_type: PlanType; payer_email: string },
  since: Date,
) =>
  selectCheckouts(tx)
    .where("checkouts.psychologist_id", "=", psychologistId)
    .where("checkouts.provider", "=", provider)
    .where("checkouts.plan_type", "=", plan_type)
    .where("payer_email", "=", payer_email)
    .where("state", "in", ["pending", "paying"])
    .where("approval_url", "is not", null)
    .where("end_wanted_at", "is", null)
    .where("checkouts.created_at", ">", since)
    .orderBy("checkouts.created_at", "desc")
    .executeTakeFirst();

/**
 * Reopens the newest checkout whose creation at the provider was not answered, so that the same request is repeated.
 * @returns undefined if no checkout since then matches
 */
export const reopenLostCheckout = (
  tx: Tx,
  psychologistId: string,
  { provider, plan_type, payer_email }: { provider: Provider; plan_type: PlanType; payer_email: string | null },
  since: Date,
): Promise<{ id: string } | undefined> =>
  sql<{ id: string }>`update checkouts set state = 'pending', payer_email = ${payer_email} where id = (
    select id from checkouts where psychologist_id = ${psychologistId} and provider = ${provider}
      and plan_type = ${plan_type} and state = 'failed' and external_id is null and created_at > ${since}
    order by created_at desc limit 1
  ) returning id`
    .execute(tx)
    .then(({ rows }) => rows[0]);

const before = (now: Date, span: number) => new Date(now.getTime() - span);

/** The newest checkout of a psychologist whose payment is pending, or which the provider may still show after a return. */
export const checkoutWithPendingPayment = (db: Db, psychologistId: string, now: Date) =>
  selectCheckouts(db)
    .where("checkouts.psychologist_id", "=", psychologistId)
    .where("subscriptions.id", "is", null)
    .where("checkouts.created_at", ">", before(now, CHECKOUT_TRACKING))
    .where((where) =>
      where.or([
        where("state", "=", "paying"),
        where.and([
          where("state", "in", ["pending", "active", "suspended"]),
          where("returned_at", ">", before(now, CONFIRMATION_TIME)),
        ]),
      ]),
    )
    .orderBy("checkouts.created_at", "desc")
    .executeTakeFirst();

/** Whether a psychologist returned a moment ago from a payment that its provider does not show yet. */
export const isAwaited = (tx: Tx, psychologistId: string, now: Date) =>
  selectCheckouts(tx)
    .where("checkouts.psychologist_id", "=", psychologistId)
    .where("subscriptions.id", "is", null)
    .where("state", "in", ["pending", "active", "suspended"])
    .where("returned_at", ">", before(now, CONFIRMATION_TIME))
    .executeTakeFirst()
    .then((row) => row !== undefined);

/** Stores the first return of the buyer: later ones do not lengthen the wait. */
export const markCheckoutReturned = (db: Db, id: string, now: Date) =>
  db.updateTable("checkouts").set({ returned_at: now }).where("id", "=", id).where("returned_at", "is", null).execute();

/**
 * Stores the provider's subscription of a checkout.
 * @returns false if a webhook event already gave that id to another checkout
 */
export const linkCheckout = (
  db: Db | Tx,
  id: string,
  made: { external_id: string; approval_url?: string | null; provider_plan_id?: string | null; due_at: Date | null },
) =>
  db
    .updateTable("checkouts")
    .set({ ...made, state: "pending" })
    .where("id", "=", id)
    .where(
      sql<boolean>`not exists (select from checkouts other where other.provider = checkouts.provider
        and other.external_id = ${made.external_id} and other.id <> checkouts.id)`,
    )
    .executeTakeFirst()
    .then((result) => result.numUpdatedRows > 0n);

/** Stores whose a checkout is, as the administrator has confirmed. */
export const confirmCheckoutOwner = (tx: Tx, id: string, psychologistId: string, now: Date) =>
  tx
    .updateTable("checkouts")
    .set({ psychologist_id: psychologistId, owner_confirmed_at: now, end_wanted_at: null })
    .where("id", "=", id)
    .execute();
