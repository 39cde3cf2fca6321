import type { PaymentAssignmentView, PaymentsView } from "#shared/payments.ts";
import type { Unversioned, Versioned } from "../../versions.ts";
import type { CancellationRow } from "../store.ts";
import type { PaymentAssignment } from "./assignment-commands.ts";
import { canAssign } from "./rules.ts";
import type { ProblemRow } from "./store.ts";

type ProblemView = PaymentsView["problems"][number];
type CancellationView = PaymentsView["cancellations"][number];

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

/** Version of a cancellation that its closing is compared with. Excludes attempts, because the worker still retries. */
export const CANCELLATION: Versioned<CancellationRow, Unversioned<CancellationView>> = {
  kind: "cancellation",
  present: (row) => ({
    id: row.subscription_id,
    provider: row.provider,
    external_subscription_id: row.external_id,
    // One that still lasts here is cancelled there only because it is not what was offered.
    ended_by: row.ended_by ?? "mismatch",
    psychologist: presentOwner(row),
    requested_at: row.end_wanted_at.toISOString(),
    tries: row.failures,
    // Each reading sends it again.
    tried_at: row.failures ? (row.read_at?.toISOString() ?? null) : null,
  }),
  ignored: ["tries", "tried_at"],
};

/** Version of an assignment's consequences that the assignment is compared with. */
export const ASSIGNMENT: Versioned<PaymentAssignment, Unversioned<PaymentAssignmentView>> = {
  kind: "payment_tie",
  present: ({ problem, psychologist, membership, paid_at, renews, replaces_monthly }) => ({
    id: problem.id,
    psychologist: { id: psychologist.id, full_name: psychologist.full_name, email: psychologist.email },
    provider: membership.provider,
    external_subscription_id: membership.external_id,
    plan_type: membership.plan_type,
    amount: membership.amount,
    currency: membership.currency,
    paid_at: paid_at?.toISOString() ?? null,
    // The paid time, without days of grace. While the first charge is due the end depends on the moment of the reading.
    gold_until: membership.provisional_until ? null : (membership.next_billing_date?.toISOString() ?? null),
    renews,
    replaces_monthly,
  }),
  ignored: [],
};
