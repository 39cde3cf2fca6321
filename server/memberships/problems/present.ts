import type { Versioned } from "../../versions.ts";
import { canAssign } from "./rules.ts";
import type { ProblemRow } from "./store.ts";

/** Adapts a problem. The contract strips the other columns. */
const present = ({ psychologist_id, full_name, email, ...problem }: ProblemRow) => {
  const { amount, currency, refunded_amount, paid_at } = problem;
  return {
    ...problem,
    // Null if unknown, or without an account.
    psychologist: psychologist_id && full_name && email ? { id: psychologist_id, full_name, email } : null,
    payment: amount && currency && paid_at ? { amount, currency, refunded_amount, paid_at } : null,
    can: { tie: canAssign(problem) },
  };
};

/** Version of a problem that a decision is compared with. */
export const PROBLEM: Versioned<ProblemRow, ReturnType<typeof present>> = {
  kind: "payment_problem",
  present,
  ignored: ["can"],
};
