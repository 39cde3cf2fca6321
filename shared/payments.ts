import { z } from "zod";
import { emailAddress } from "./account-fields.ts";
import { DecisionInput, DoneView, IdInput, operation } from "./operation.ts";
import { CURRENCIES, MISMATCHES, PAYMENT_PROBLEMS, PROVIDERS, REFRESH_OUTCOMES } from "./plans.ts";
import { id, isoDateTime, oneOf, version } from "./text.ts";

export const PaymentsView = z.object({
  problems: z.array(
    z.object({
      id,
      version,
      kind: oneOf(PAYMENT_PROBLEMS),
      provider: oneOf(PROVIDERS),
      /** The provider's id of its subscription, of the payment, or of the subject of a webhook event. */
      external_id: z.string(),
      reason: oneOf(MISMATCHES).nullable(),
      psychologist: z.object({ id, full_name: z.string(), email: z.string() }).nullable(),
      created_at: isoDateTime,
      /** Null if our database does not have the payment. */
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
});
export type PaymentsView = z.infer<typeof PaymentsView>;

export const paymentsOperations = {
  read: operation("GET /admin/payments").output(PaymentsView),
  handle: operation("PUT /admin/payments/{id}/handling").input(DecisionInput).output(DoneView),
  readNow: operation("POST /admin/payments/{id}/reading")
    .input(IdInput)
    .output(z.object({ outcome: oneOf(REFRESH_OUTCOMES) })),
  tie: operation("PUT /admin/payments/{id}/owner")
    .input(z.strictObject({ id, email: emailAddress }))
    .output(z.object({ psychologist_id: id })),
};
