/** Updates of checkouts by readings and ends, and the next checkout to read (table `checkouts`). */
import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";
import type { CheckoutState } from "./rules.ts";

/** Fields of a checkout that a reading or a cancellation updates. */
export type ReadCheckout = {
  state?: CheckoutState;
  provider_updated_at?: Date | null;
  read_at?: Date;
  due_at?: Date | null;
  failures?: number;
  failing_since?: Date | null;
  end_wanted_at?: Date | null;
  end_confirmed_at?: Date | null;
  payer_email?: null;
};

export const updateCheckout = (db: Db | Tx, id: string, row: ReadCheckout) =>
  db.updateTable("checkouts").set(row).where("id", "=", id).execute();

/** Makes a checkout due, unless it is due earlier. */
export const makeDue = (db: Db | Tx, id: string, at: Date) =>
  db
    .updateTable("checkouts")
    .set({ due_at: sql<Date>`least(due_at, ${at}::timestamptz)` })
    .where("id", "=", id)
    .where("provider", "!=", "test")
    .execute();

/** Wants the end of a checkout at its provider: the next reading, at once, sends the cancellation until it is confirmed. */
export const wantEnd = (tx: Tx, id: string, at: Date) =>
  tx
    .updateTable("checkouts")
    .set({ end_wanted_at: sql<Date>`coalesce(end_wanted_at, ${at}::timestamptz)`, due_at: at })
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
      and end_wanted_at is null and not exists (select from subscriptions where checkout_id = checkouts.id)`.execute(
    tx,
  );

/**
 * Leaves only those checkouts of a psychologist that are to be ended or may still be paid, without anything about the
 * person. Call it before the account is deleted.
 */
export async function abandonCheckouts(tx: Tx, psychologistId: string, at: Date): Promise<void> {
  const unpaid = sql`not exists (select from subscriptions where checkout_id = checkouts.id)`;
  await sql`delete from checkouts where psychologist_id = ${psychologistId} and ${unpaid}
    and (external_id is null or provider = 'test' or due_at is null)`.execute(tx);
  await sql`update checkouts set end_wanted_at = ${at}, due_at = ${at}
    where psychologist_id = ${psychologistId} and ${unpaid} and plan_type = 'monthly'`.execute(tx);
  await sql`update checkouts set payer_email = null, approval_url = null where psychologist_id = ${psychologistId}`.execute(
    tx,
  );
}

/** Deletes a checkout of a deleted account that is over without a payment. */
export const deleteCheckout = (tx: Tx, id: string) => tx.deleteFrom("checkouts").where("id", "=", id).execute();

/**
 * Takes the longest due checkout of a provider for a reading. It is due again at `until`, should this server stop.
 * @returns undefined if none is due
 */
export const claimDueCheckout = (
  db: Db,
  provider: string,
  now: Date,
  until: Date,
): Promise<{ id: string } | undefined> =>
  sql<{ id: string }>`update checkouts set due_at = ${until} where id = (
    select id from checkouts where provider = ${provider} and due_at <= ${now} order by due_at limit 1 for update skip locked
  ) returning id`
    .execute(db)
    .then(({ rows }) => rows[0]);

/** Since when readings of a provider have failed in an outage; null if the last ones have not. */
export const outageSince = (db: Db, provider: string) =>
  db
    .selectFrom("checkouts")
    .select((eb) => eb.fn.min("failing_since").as("since"))
    .where("provider", "=", provider)
    .where("failures", "=", 0)
    .executeTakeFirst()
    .then((row) => row?.since ?? null);
