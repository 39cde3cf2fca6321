import type { PlanType } from "#shared/plans.ts";
import type { Hint } from "../../integrations/payment-provider.ts";
import { whyCannotSubscribe } from "../checkouts/rules.ts";
import type { Term } from "../gold-rules.ts";

/** True if the administrator can assign the payment to a psychologist. */
export const canAssign = ({ kind, reason }: { kind: string; reason: string | null }): boolean =>
  kind === "unmatched" || (kind === "mismatch" && reason === "owner");

/** Ids that a reading of a problem's subscription reads in addition. */
export const hintsOfProblem = (
  { kind, external_id }: { kind: string; external_id: string },
  subscription: string,
): Hint[] =>
  external_id === subscription ? [] : [{ type: kind === "reversal" ? "reversal" : "payment", id: external_id }];

/** A possible owner of a payment. */
export type Candidate = { id: string; full_name: string; email: string; is_verified: boolean };

/**
 * Explains why a payment may not be assigned to a psychologist.
 * @param membership the membership that the payment created; one that only exists to end a mismatch has no owner
 * @param current the psychologist's other membership whose status is active
 * @returns the error text for the email field, or null
 */
export function whyCannotAssign(
  psychologist: Candidate,
  plan: PlanType,
  membership: { psychologist_id: string | null; ended_by: string | null } | null,
  current: Term | null,
  now: Date,
): string | null {
  if (membership && membership.ended_by !== "mismatch" && membership.psychologist_id !== psychologist.id)
    return "Este pago ya es de la membresía de otra persona.";
  const refusal = whyCannotSubscribe(psychologist, current, plan, now);
  if (refusal === "already_subscribed")
    return "Esa persona ya tiene una membresía en vigor: devuelve este pago en el servicio.";
  return refusal && "Esa cuenta no está verificada: verifícala antes, o devuelve el pago en el servicio.";
}
