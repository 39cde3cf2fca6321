import type { PlanType } from "#shared/plans.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { whyCannotSubscribe } from "../checkouts/rules.ts";
import { isActive, type Membership, type TermAtProvider } from "../rules.ts";
import { type Offer, wasReceived } from "../settlement/payment-rules.ts";
import { type Settlement, settle } from "../settlement/rules.ts";

/** What is known before a payment is tied to a psychologist. */
export type TieGrounds = {
  problem: { id: string };
  psychologist: { id: string; full_name: string; email: string; is_verified: boolean };
  /** The provider's id of its subscription. */
  external_id: string;
  /** What was, or would have been, offered to the psychologist. */
  offer: Offer;
  /** The membership of this provider subscription, where a settlement has made one, and its payments. */
  membership: (Membership & { psychologist_id: string | null }) | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active. */
  current: TermAtProvider | null;
  hadUnpaidProvisionalAccess: boolean;
  snapshot: Snapshot;
  now: Date;
};

/** What follows when a payment is tied to a psychologist. */
export type Tie = Pick<TieGrounds, "problem" | "psychologist" | "external_id" | "offer"> & {
  membership: NonNullable<Settlement["membership"]>;
  paid_at: Date | null;
  renews: boolean;
  replaces_monthly: boolean;
};

/** Whether a membership was only made in order to end a payment that did not match. */
const isMismatch = ({ membership }: Pick<TieGrounds, "membership">) => membership?.ended_by === "mismatch";

/** Why a payment may not be tied to a psychologist, in words for the field of the address, or null. */
export function whyCannotTie({ psychologist, membership, current, offer, now, ...grounds }: TieGrounds): string | null {
  if (membership && !isMismatch({ membership, ...grounds }) && membership.psychologist_id !== psychologist.id)
    return "Este pago ya es de la membresía de otra persona.";
  const refusal = whyCannotSubscribe(psychologist, current, offer.plan_type as PlanType, now);
  if (refusal === "already_subscribed")
    return "Esa persona ya tiene una membresía en vigor: devuelve este pago en el servicio.";
  return refusal && "Esa cuenta no está verificada: verifícala antes, o devuelve el pago en el servicio.";
}

/** What follows, by the rules of every settlement; null where the payment gives no Gold. */
export function tieOf(grounds: TieGrounds): Tie | null {
  const { problem, psychologist, external_id, offer, membership, current, snapshot, now } = grounds;
  const known = { ...grounds, membership: membership && reopened(membership), reported: [] };
  const settlement = settle(known, snapshot, now);
  const after = settlement?.membership;
  const at = { state: snapshot.state, failing_since: null };
  if (!settlement || !after || !isActive({ ...offer, ...after, ...at }, now)) return null;
  const received = settlement.payments.filter(wasReceived).map(({ paid_at }) => paid_at.getTime());
  return {
    problem,
    psychologist,
    external_id,
    offer,
    membership: after,
    paid_at: received.length ? new Date(Math.max(...received)) : null,
    renews: offer.plan_type === "monthly" && snapshot.state === "active" && !settlement.end_wanted_at,
    replaces_monthly: current !== null && isActive(current, now),
  };
}

/** A membership that ended because it did not match, as a settlement looks at it once its owner is confirmed. */
const reopened = <Row extends { ended_by: string | null }>(row: Row): Row =>
  row.ended_by === "mismatch" ? { ...row, ended_by: "provider" } : row;
