import { z } from "zod";
import { emailAddress } from "./account-fields.ts";
import { adminReason } from "./gold.ts";
import { DecisionInput, DoneView, emptyInput, IdInput, operation } from "./operation.ts";
import {
  CURRENCIES,
  END_REASONS,
  MISMATCHES,
  PAYMENT_PROBLEMS,
  PLAN_TYPES,
  PROVIDERS,
  REFRESH_OUTCOMES,
} from "./plans.ts";
import { id, isoDateTime, oneOf, version } from "./text.ts";

const psychologist = z.object({ id, full_name: z.string(), email: z.string() });

export const PaymentsView = z.object({
  problems: z.array(
    z.object({
      id,
      version,
      kind: oneOf(PAYMENT_PROBLEMS),
      provider: oneOf(PROVIDERS),
      /** The provider's id of its subscription, of the payment, or of the subject of a webhook event. */
      external_id: z.string(),
      /** Difference to the offer, for a mismatch. */
      reason: oneOf(MISMATCHES).nullable(),
      psychologist: psychologist.nullable(),
      created_at: isoDateTime,
      /** The payment that it concerns, if our database has it. */
      payment: z
        .object({
          amount: z.number(),
          currency: oneOf(CURRENCIES),
          /** Null after a partial refund of an unknown amount. */
          refunded_amount: z.number().nullable(),
          paid_at: isoDateTime,
        })
        .nullable(),
      can: z.object({ tie: z.boolean() }),
    }),
  ),
  /** Cancellations that the provider has not confirmed. */
  cancellations: z.array(
    z.object({
      id,
      version,
      provider: oneOf(PROVIDERS),
      external_subscription_id: z.string(),
      ended_by: oneOf(END_REASONS),
      /** Null without an account. */
      psychologist: psychologist.nullable(),
      requested_at: isoDateTime,
      tries: z.number(),
      tried_at: isoDateTime.nullable(),
    }),
  ),
});
export type PaymentsView = z.infer<typeof PaymentsView>;

const ReadingView = z.object({ outcome: oneOf(REFRESH_OUTCOMES) });

/** Email of the psychologist who may own the payment. */
const AssignmentPreviewInput = z.strictObject({ id, email: emailAddress });
const AssignPaymentInput = z.strictObject({ id, version, email: emailAddress });

/** Consequences of assigning a payment to a psychologist. */
export const PaymentAssignmentView = z.object({
  id,
  version,
  psychologist,
  provider: oneOf(PROVIDERS),
  external_subscription_id: z.string(),
  plan_type: oneOf(PLAN_TYPES),
  amount: z.number(),
  currency: oneOf(CURRENCIES),
  /** Time of the last payment; null if the provider has not charged yet. */
  paid_at: isoDateTime.nullable(),
  /** Time until which Gold lasts by this payment; null for lifetime, and while the first charge is due. */
  gold_until: isoDateTime.nullable(),
  /** True if the provider continues to charge it. */
  renews: z.boolean(),
  /** True if it replaces the psychologist's monthly membership, which ends. */
  replaces_monthly: z.boolean(),
});
export type PaymentAssignmentView = z.infer<typeof PaymentAssignmentView>;

const CloseInput = z.strictObject({ id, version, reason: adminReason });

export const paymentsOperations = {
  read: operation("GET /admin/payments").input(emptyInput).output(PaymentsView),
  handle: operation("PUT /admin/payments/{id}/handling").input(DecisionInput).output(DoneView),
  readNow: operation("POST /admin/payments/{id}/reading").input(IdInput).output(ReadingView),
  offerTie: operation("POST /admin/payments/{id}/owner").input(AssignmentPreviewInput).output(PaymentAssignmentView),
  tie: operation("PUT /admin/payments/{id}/owner").input(AssignPaymentInput).output(DoneView),
  readCancellation: operation("POST /admin/cancellations/{id}/reading").input(IdInput).output(ReadingView),
  closeCancellation: operation("PUT /admin/cancellations/{id}/closing").input(CloseInput).output(DoneView),
};
