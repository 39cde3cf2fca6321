/** Table `payment_problems`. */
import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Currency, Mismatch, PaymentProblem, Provider } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { CheckoutRow } from "../checkouts/store.ts";
import type { Problem } from "../reconciliation/problem-rules.ts";

/**
 * Reports a problem to the administrator. A problem that is still open stays as it is, also if it was handled. One that
 * was settled and returns is new: it is shown again, with the time of its return.
 * @returns undefined if it is already open
 */
export const reportProblem = (
  db: Db | Tx,
  row: Pick<Problem, "reason"> & {
    kind: PaymentProblem;
    provider: string;
    external_id: string;
    checkout_id?: string;
    created_at: Date;
  },
) =>
  db
    .insertInto("payment_problems")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .constraint("payment_problems_kind_provider_external_id_key")
        .doUpdateSet((eb) => ({
          reason: eb.ref("excluded.reason"),
          settled_at: null,
          handled_at: null,
          created_at: eb.ref("excluded.created_at"),
          checkout_id: eb.ref("excluded.checkout_id"),
        }))
        .where("payment_problems.settled_at", "is not", null),
    )
    .returning("id")
    .executeTakeFirst();

/** A problem of a checkout at its provider. */
const problemRow = (
  { id, provider, external_id }: CheckoutRow,
  { kind, payment, reason }: Problem,
  created_at: Date,
) => ({
  kind,
  provider,
  external_id: payment ?? external_id!,
  checkout_id: id,
  reason,
  created_at,
});

/** The payments of a checkout that are reported as a mismatch, by the provider's ids, also if handled. */
export const reportedMismatches = (tx: Tx, checkoutId: string) =>
  tx
    .selectFrom("payment_problems")
    .select(["external_id", "reason"])
    .$narrowType<{ reason: Mismatch | null }>()
    .where("checkout_id", "=", checkoutId)
    .where("kind", "=", "mismatch")
    .where("settled_at", "is", null)
    .orderBy("id")
    .execute();

/**
 * Stores the complete set of problems of a checkout: settles all others, and inserts the new ones.
 * @returns the kinds of the new ones
 */
export async function writeProblems(tx: Tx, checkout: CheckoutRow, problems: Problem[], now: Date): Promise<string[]> {
  const rows = problems.map((problem) => problemRow(checkout, problem, now));
  const [kinds, ids] = [rows.map(({ kind }) => kind), rows.map(({ external_id }) => external_id)];
  await tx
    .updateTable("payment_problems")
    .set({ settled_at: now })
    .where("checkout_id", "=", checkout.id)
    .where("settled_at", "is", null)
    .where(sql<boolean>`(kind, external_id) not in (select * from unnest(${kinds}::text[], ${ids}::text[]))`)
    .execute();
  const added: string[] = [];
  for (const row of rows) if (await reportProblem(tx, row)) added.push(row.kind);
  return added;
}

/** Reports one problem of a provider subscription that could not be read, or not be ended. */
export const addProblem = (tx: Tx, checkout: CheckoutRow, kind: "unreadable" | "cancellation_unconfirmed", now: Date) =>
  reportProblem(tx, problemRow(checkout, { kind, payment: null, reason: null }, now));

/** Settles the problems of one kind about some ids of a provider. */
export const settleProblems = (
  db: Db | Tx,
  { provider, kind, external_id }: { provider: string; kind: PaymentProblem; external_id: string | string[] },
  now: Date,
) =>
  db
    .updateTable("payment_problems")
    .set({ settled_at: now })
    .where("provider", "=", provider)
    .where("kind", "=", kind)
    .where("external_id", "in", [external_id].flat())
    .where("settled_at", "is", null)
    .execute();

const selectUnhandledProblems = (db: Db | Tx) =>
  db
    .selectFrom("payment_problems as problem")
    .leftJoin("checkouts", "checkouts.id", "problem.checkout_id")
    .leftJoin("profiles", "profiles.id", "checkouts.psychologist_id")
    .leftJoin("payment_transactions as payment", (join) =>
      join
        .onRef("payment.provider", "=", "problem.provider")
        .onRef("payment.external_payment_id", "=", "problem.external_id"),
    )
    .selectAll("problem")
    .select(["checkouts.external_id as subscription", "checkouts.psychologist_id"])
    .select(["profiles.full_name", "profiles.email"])
    .select(["payment.amount", "payment.currency", "payment.refunded_amount", "payment.paid_at"])
    .$narrowType<{ kind: PaymentProblem; provider: Provider; reason: Mismatch | null; currency: Currency | null }>()
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

export const unhandledProblem = (db: Db, id: string): Promise<ProblemRow | undefined> =>
  selectUnhandledProblems(db).where("problem.id", "=", id).executeTakeFirst();

/** Locks and reads an unhandled problem; of two who handle it at the same time one finds nothing. */
export const lockProblem = (tx: Tx, id: string): Promise<ProblemRow | undefined> =>
  selectUnhandledProblems(tx).where("problem.id", "=", id).forUpdate("problem").executeTakeFirst();

export const markProblemHandled = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("payment_problems").set({ handled_at: now }).where("id", "=", id).execute();
