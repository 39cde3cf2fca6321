import type { PaymentsView } from "#shared/payments.ts";
import type { Unversioned, Versioned } from "../../versions.ts";
import { canAssign } from "./rules.ts";
import type { ProblemRow } from "./store.ts";

type ProblemView = PaymentsView["problems"][number];

/** The psychologist of a row; null if unknown, or without an account. */
const presentOwner = (row: { psychologist_id: string | null; full_name: string | null; email: string | null }) =>
  row.psychologist_id && row.full_name && row.email
    ? { id: row.psychologist_id, full_name: row.full_name, email: row.email }
    : null;

/** Version of a problem that a decision is compared with. */
export const PROBLEM: Versioned<ProblemRow, Unversioned<ProblemView>> = {
  kind: "payment_problem",
  present: (problem) => ({
    id: problem.id,
    external_id: problem.external_id,
    kind: problem.kind as ProblemView["kind"],
    provider: problem.provider as ProblemView["provider"],
    reason: problem.reason as ProblemView["reason"],
    psychologist: presentOwner(problem),
    created_at: problem.created_at.toISOString(),
    payment:
      problem.amount !== null && problem.paid_at
        ? {
            amount: problem.amount,
            currency: problem.currency as "USD",
            refunded_amount: problem.refunded_amount,
            paid_at: problem.paid_at.toISOString(),
          }
        : null,
    can: { tie: canAssign(problem) },
  }),
  ignored: ["can"],
};
