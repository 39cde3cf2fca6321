import type { PlanType } from "#shared/plans.ts";
import { whyCannotSubscribe } from "../checkouts/rules.ts";
import type { TermAtProvider } from "../rules.ts";

/** A psychologist to whom a payment may be tied. */
export type Candidate = { id: string; full_name: string; email: string; is_verified: boolean };

/**
 * Why a payment may not be tied to a psychologist, in words for the field of the email, or null.
 * @param membership the one that the payment has made; one that was only made to end a mismatch belongs to no one
 * @param current the psychologist's other membership whose status is active
 */
export function whyCannotAssign(
  psychologist: Candidate,
  plan: PlanType,
  membership: { psychologist_id: string | null; ended_by: string | null } | null,
  current: TermAtProvider | null,
  now: Date,
): string | null {
  if (membership && membership.ended_by !== "mismatch" && membership.psychologist_id !== psychologist.id)
    return "Este pago ya es de la membresía de otra persona.";
  const refusal = whyCannotSubscribe(psychologist, current, plan, now);
  if (refusal === "already_subscribed")
    return "Esa persona ya tiene una membresía en vigor: devuelve este pago en el servicio.";
  return refusal && "Esa cuenta no está verificada: verifícala antes, o devuelve el pago en el servicio.";
}
