import type { Hint } from "../../integrations/payment-provider.ts";

/** True if the administrator can assign the payment to a psychologist. */
export const canAssign = ({ kind, reason }: { kind: string; reason: string | null }): boolean =>
  kind === "unmatched" || (kind === "mismatch" && reason === "owner");

/** Ids that a reading of a problem's subscription reads in addition. */
export const hintsOfProblem = (
  { kind, external_id }: { kind: string; external_id: string },
  subscription: string,
): Hint[] =>
  external_id === subscription ? [] : [{ type: kind === "reversal" ? "reversal" : "payment", id: external_id }];
