/** Table `checkouts`: a row for each thing at a provider, with the membership that it became and the date of its next reading. */
import { sql } from "kysely";
import type { Currency, EndReason, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { HOUR } from "#shared/time.ts";
import type { Db, Tx } from "../../database/handles.ts";
import { isOverAtProvider } from "../rules.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING, type CheckoutState, CONFIRMATION_TIME, nextReading } from "./rules.ts";

export const selectCheckouts = (db: Db | Tx) =>
  db
    .selectFrom("checkouts")
    .selectAll("checkouts")
    .$narrowType<{ provider: Provider; method: PaymentMethod; plan_type: PlanType; currency: Currency }>()
    .$narrowType<{ ended_by: EndReason | null }>();
export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof checkoutById>>>;
/** Columns that are not null in a membership. */
export type MembershipColumns = { external_id: string; status: "active" | "cancelled"; began_at: Date };
/** A checkout that became a membership. */
export type MembershipRow = CheckoutRow & MembershipColumns;

/** The membership of a checkout, or null. */
export const membershipOf = (row: CheckoutRow): MembershipRow | null =>
  row.status === null ? null : (row as MembershipRow);

type Offered = "provider" | "method" | "plan_type" | "amount" | "currency" | "psychologist_id" | "created_at";
type Optional = "external_id" | "payer_email" | "provider_plan_id" | "owner_confirmed_at" | "due_at";
export const insertCheckout = (tx: Tx, row: Pick<CheckoutRow, Offered> & Partial<Pick<CheckoutRow, Optional>>) =>
  tx.insertInto("checkouts").values(row).returning("id").executeTakeFirstOrThrow();

export const checkoutById = async (db: Db | Tx, id: string) =>
  (await selectCheckouts(db).where("id", "=", id).executeTakeFirst()) ?? null;

const selectOfPsychologist = (db: Db | Tx, psychologistId: string) =>
  selectCheckouts(db).where("psychologist_id", "=", psychologistId).orderBy("created_at", "desc");

export const ownCheckout = (db: Db | Tx, psychologistId: string, id: string) =>
  selectOfPsychologist(db, psychologistId).where("id", "=", id).executeTakeFirst();

export const checkoutByExternalId = async (db: Db | Tx, provider: string, externalId: string) =>
  (await selectCheckouts(db)
    .where("provider", "=", provider)
    .where("external_id", "=", externalId)
    .executeTakeFirst()) ?? null;

/** Locks a checkout's psychologist, whose lock guards all memberships, then the checkout. @returns null if it is deleted */
export async function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow | null> {
  await sql`select from psychologist_profiles
    where id = (select psychologist_id from checkouts where id = ${id}) for update`.execute(tx);
  return (await selectCheckouts(tx).where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

const before = (now: Date, span: number) => new Date(now.getTime() - span);
type Wanted = { provider: Provider; plan_type: PlanType; payer_email: string | null };
/**
 * Time within which the creation of a checkout is repeated if it was not answered, in milliseconds. PayPal then repeats its
 * response. MercadoPago creates a second subscription.
 */
const LOST_MS = HOUR;

/**
 * Finds a checkout for the same plan whose creation at the provider was not answered, so that it is repeated, else one
 * for the same payer that can still be paid: a provider that asks for the email makes another subscription for each call.
 */
export const reusableCheckout = (
  tx: Tx,
  psychologistId: string,
  { provider, plan_type, payer_email }: Wanted,
  now: Date,
): Promise<{ id: string } | undefined> =>
  sql<{ id: string }>`update checkouts set payer_email = ${payer_email},
    state = case state when 'failed' then 'pending' else state end
  where id = (
    select id from checkouts where psychologist_id = ${psychologistId} and provider = ${provider}
      and plan_type = ${plan_type} and (
        (state = 'failed' and external_id is null and created_at > ${before(now, LOST_MS)})
        or (state in ('pending', 'paying') and payer_email = ${payer_email} and approval_url is not null
          and end_wanted_at is null and created_at > ${before(now, CHECKOUT_LIFETIME)}))
    order by created_at desc limit 1
  ) returning id`
    .execute(tx)
    .then(({ rows }) => rows[0]);

/**
 * The checkouts of a psychologist whose payment is pending (state `paying`), or which the provider may still show after a
 * return; the newest first.
 */
export const checkoutsInPayment = (db: Db | Tx, psychologistId: string, now: Date) =>
  selectOfPsychologist(db, psychologistId)
    .where("status", "is", null)
    .where((where) =>
      where.or([
        where("state", "=", "paying").and("created_at", ">", before(now, CHECKOUT_TRACKING)),
        where("returned_at", ">", before(now, CONFIRMATION_TIME)).and(
          where.or([
            where("state", "in", ["pending", "active", "suspended"]),
            // The provider refused an earlier payment and has not been read since the return.
            where("state", "=", "failed").and("read_at", "<", where.ref("returned_at")),
          ]),
        ),
      ]),
    )
    .limit(10)
    .execute();

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

/** Fields of a checkout that a reading, a cancellation or the administrator updates. */
type CheckoutUpdate = Partial<Omit<CheckoutRow, "id" | "state"> & { state: CheckoutState }>;

export const updateCheckout = (db: Db | Tx, id: string, row: CheckoutUpdate) =>
  db.updateTable("checkouts").set(row).where("id", "=", id).execute();

/**
 * Stores what a reading or a cancellation found, and when the checkout is read next. Deletes a checkout of a deleted
 * account that is over without a payment.
 * @param found with `due_at` if the next reading does not follow from the rules
 */
export async function updateAndSchedule(
  db: Db | Tx,
  checkout: CheckoutRow,
  found: CheckoutUpdate,
  now: Date,
): Promise<void> {
  const { read_at, end_confirmed_at } = checkout;
  const shown = end_confirmed_at && read_at && read_at < end_confirmed_at ? end_confirmed_at : read_at;
  const over_at = isOverAtProvider(checkout.state) ? shown : null;
  const row = { ...checkout, ...found };
  const due_at = found.due_at ?? nextReading({ ...row, over_at }, now);
  if (row.status || row.psychologist_id || due_at) await updateCheckout(db, checkout.id, { ...found, due_at });
  else await db.deleteFrom("checkouts").where("id", "=", checkout.id).execute();
}

/** Makes a checkout due, unless it is due earlier. */
export const makeDue = (db: Db | Tx, id: string, at: Date) =>
  db
    .updateTable("checkouts")
    .set({ due_at: sql<Date>`least(due_at, ${at}::timestamptz)` })
    .where("id", "=", id)
    .execute();

/** Wants the end of the other checkouts of these plans that a psychologist has not paid: paying them would be paying twice. */
export const wantEndOfUnpaid = (
  tx: Tx,
  psychologistId: string,
  exceptId: string,
  { provider, plans }: { provider: string; plans: readonly string[] },
  at: Date,
) =>
  sql`update checkouts set end_wanted_at = ${at}, due_at = ${at}
    where psychologist_id = ${psychologistId} and id <> ${exceptId} and provider = ${provider}
      and plan_type = any(${plans}) and state in ('pending', 'paying', 'failed') and external_id is not null
      and end_wanted_at is null and status is null`.execute(tx);

/**
 * Leaves only those checkouts of a psychologist that are to be ended or may still be paid, without anything about the
 * person. Call it before the account is deleted.
 */
export async function abandonCheckouts(tx: Tx, psychologistId: string, at: Date): Promise<void> {
  const own = sql`psychologist_id = ${psychologistId}`;
  await sql`delete from checkouts where ${own} and status is null
    and (external_id is null or due_at is null)`.execute(tx);
  await sql`update checkouts set end_wanted_at = ${at}, due_at = ${at}
    where ${own} and status is null and plan_type = 'monthly'`.execute(tx);
  await sql`update checkouts set payer_email = null, approval_url = null where ${own}`.execute(tx);
}

/**
 * Takes the longest due checkout of a provider for a reading. It is due again at `until`, should this server stop.
 * @returns undefined if none is due
 */
export const claimDueCheckout = (db: Db, provider: string, now: Date, until: Date) =>
  sql<{ id: string }>`update checkouts set due_at = ${until} where id = (
    select id from checkouts where provider = ${provider} and due_at <= ${now} order by due_at limit 1 for update skip locked
  ) returning id`
    .execute(db)
    .then(({ rows }): { id: string } | undefined => rows[0]);

/** The checkout of a provider, except one, that was last read and whose readings do not fail. */
export const lastReadCheckout = (db: Db, provider: string, exceptId: string) =>
  db
    .selectFrom("checkouts")
    .select("id")
    .where("provider", "=", provider)
    .where("id", "!=", exceptId)
    .where("due_at", "is not", null)
    .where("read_at", "is not", null)
    .where("failing_since", "is", null)
    .orderBy("read_at", "desc")
    .executeTakeFirst();

/** Postpones the due checkouts whose failure in this outage is already stored. */
export const postponeNoted = (db: Db, provider: string, now: Date, until: Date) =>
  sql`update checkouts set due_at = ${until} where provider = ${provider} and due_at <= ${now}
    and failing_since is not null and failures = 0 and end_wanted_at is null`.execute(db);

/** Since when readings of a provider have failed in an outage; null if the last ones have not. */
export const outageSince = async (db: Db, provider: string): Promise<Date | null> => {
  const { since } = await db
    .selectFrom("checkouts")
    .select((eb) => eb.fn.min("failing_since").as("since"))
    .where("provider", "=", provider)
    .where("failures", "=", 0)
    .executeTakeFirstOrThrow();
  return since;
};
