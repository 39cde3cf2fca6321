import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { DecisionInput, DoneView, IdInput, operation } from "./operation.ts";
import { CURRENCIES, MEMBERSHIP_STATUSES, PLAN_TYPES, PROVIDERS } from "./plans.ts";
import { id, isoDateTime, oneOf, optional, text, version } from "./text.ts";

/** The last day of a grant in UTC ("2027-01-31"), or "never" for one without an end. */
const lastDay = z
  .string("Elige un día.")
  .refine((value) => value === "never" || z.iso.date().safeParse(value).success, "Elige un día.");

/** The psychologist reads it in the mail. */
const adminReason = text(LIMITS.adminReason);

const GrantView = z.object({
  id,
  starts_at: isoDateTime,
  /** Null without an end. */
  ends_at: isoDateTime.nullable(),
  reason: z.string(),
  /** When it was ended by hand or extended by another grant. */
  ended_at: isoDateTime.nullable(),
});
export type GrantView = z.infer<typeof GrantView>;

/** The Gold of one psychologist, with the consequences of each decision. */
export const GoldView = z.object({
  id,
  version,
  full_name: z.string(),
  email: z.string(),
  is_verified: z.boolean(),
  has_gold: z.boolean(),
  /** Time until which Gold lasts; null without an end, or without Gold. */
  gold_until: isoDateTime.nullable(),
  /** The membership whose status is active; its month may be over. */
  membership: z
    .object({
      provider: oneOf(PROVIDERS),
      external_subscription_id: z.string(),
      plan_type: oneOf(PLAN_TYPES),
      amount: z.number(),
      currency: oneOf(CURRENCIES),
      membership_status: oneOf(MEMBERSHIP_STATUSES),
      next_billing_date: isoDateTime.nullable(),
      renews: z.boolean(),
    })
    .nullable(),
  grant: GrantView.nullable(),
  earlier_grants: z.array(GrantView),
  /** For a requested last day. Times are null without an end. */
  if_granted: z
    .object({ ends_at: isoDateTime.nullable(), gold_until: isoDateTime.nullable(), lasts_longer: z.boolean() })
    .nullable(),
  /** Null if there is nothing to end. */
  if_ended: z
    .object({
      plan_type: oneOf(PLAN_TYPES).nullable(),
      ends_grant: z.boolean(),
      /** Provider subscriptions to cancel, so that they charge nothing more. */
      cancels: z.array(z.object({ provider: oneOf(PROVIDERS), external_subscription_id: z.string() })),
    })
    .nullable(),
});
export type GoldView = z.infer<typeof GoldView>;

export const goldOperations = {
  read: operation("GET /admin/psychologists/{id}/gold")
    .input(IdInput.extend({ last_day: optional(lastDay) }))
    .output(GoldView),
  grant: operation("PUT /admin/psychologists/{id}/gold")
    .input(DecisionInput.extend({ last_day: lastDay, reason: adminReason }))
    .output(DoneView),
  end: operation("DELETE /admin/psychologists/{id}/gold")
    .input(DecisionInput.extend({ reason: adminReason }))
    .output(DoneView),
};
