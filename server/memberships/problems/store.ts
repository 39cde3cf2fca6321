/** Table `payment_problems`. */
import { LIMITS } from "#shared/limits.ts";
import type { PaymentProblem } from "#shared/plans.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { Problem } from "../settlement/problem-rules.ts";

/** Reports a problem to the administrator; one that was handled stays handled. */
export const reportProblem = (
  db: Db | Tx,
  row: Pick<Problem, "reason"> & {
    kind: PaymentProblem;
    provider: string;
    external_id: string;
    external_subscription_id?: string;
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
          external_subscription_id: eb.ref("excluded.external_subscription_id"),
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
      "problem.subscription_id",
      "problem.external_subscription_id",
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

export const unhandledProblem = (db: Db, id: string): Promise<ProblemRow | undefined> =>
  selectUnhandledProblems(db).where("problem.id", "=", id).executeTakeFirst();

/** Locks and reads an unhandled problem; of two who handle it at the same time one finds nothing. */
export async function lockProblem(tx: Tx, id: string): Promise<ProblemRow | undefined> {
  await tx.selectFrom("payment_problems").select("id").where("id", "=", id).forUpdate().execute();
  return selectUnhandledProblems(tx).where("problem.id", "=", id).executeTakeFirst();
}

export const markProblemHandled = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("payment_problems").set({ handled_at: now }).where("id", "=", id).execute();

/** What was unknown of a problem is known now: it resolves itself. */
export const markProblemResolved = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("payment_problems")
    .set({ settled_at: now })
    .where("id", "=", id)
    .where("settled_at", "is", null)
    .execute();

/** The owner of a provider subscription is confirmed: this resolves the problems that ask for it. */
export const resolveOwnerProblems = (tx: Tx, provider: string, externalSubscriptionId: string, now: Date) =>
  tx
    .updateTable("payment_problems")
    .set({ settled_at: now })
    .where("provider", "=", provider)
    .where("external_subscription_id", "=", externalSubscriptionId)
    .where("kind", "=", "mismatch")
    .where("reason", "=", "owner")
    .where("settled_at", "is", null)
    .execute();
