import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { DoneView, operation } from "./operation.ts";
import { CURRENCIES, PLAN_TYPES, PROVIDERS, STANDINGS } from "./plans.ts";
import { id, moment, oneOf, optional, text, version } from "./text.ts";

/** The last day of a grant ("2027-01-31", in UTC), or "never" for one without end. */
const lastDay = z
  .string("Elige un día.")
  .refine((value) => value === "never" || z.iso.date().safeParse(value).success, "Elige un día.");

/** Why the administrator decides by hand. The person reads it in the mail about it. */
export const adminReason = text(LIMITS.adminReason);

/** The day asks what would follow from a grant until then. */
const GoldInput = z.strictObject({ id, last_day: optional(lastDay) });
const GrantInput = z.strictObject({ id, version, last_day: lastDay, reason: adminReason });
const EndGoldInput = z.strictObject({ id, version, reason: adminReason });

const GrantView = z.object({
  id,
  starts_at: moment,
  /** Null: without end. */
  ends_at: moment.nullable(),
  reason: z.string(),
  /** When it was ended by hand, or extended by another grant. */
  ended_at: moment.nullable(),
});
export type GrantView = z.infer<typeof GrantView>;

/** The Gold of one psychologist, for the administrator, with what would follow from each decision. */
export const GoldView = z.object({
  /** The psychologist's. */
  id,
  version,
  full_name: z.string(),
  email: z.string(),
  is_verified: z.boolean(),
  has_gold: z.boolean(),
  /** Until when Gold lasts; null for Gold without end, and where there is none. */
  gold_until: moment.nullable(),
  /** The membership whose status is active; its month may be over. */
  membership: z
    .object({
      provider: oneOf(PROVIDERS),
      external_subscription_id: z.string(),
      plan_type: oneOf(PLAN_TYPES),
      amount: z.number(),
      currency: oneOf(CURRENCIES),
      standing: oneOf(STANDINGS),
      next_billing_date: moment.nullable(),
      /** The provider goes on charging it. */
      renews: z.boolean(),
    })
    .nullable(),
  /** The grant in force. */
  grant: GrantView.nullable(),
  /** Those that are over, the newest first. */
  earlier_grants: z.array(GrantView),
  /** What follows from the grant that was asked about: until when Gold would last (null: without end). */
  if_granted: z
    .object({ ends_at: moment.nullable(), gold_until: moment.nullable(), lasts_longer: z.boolean() })
    .nullable(),
  /** What follows from ending Gold; null where there is nothing to end. */
  if_ended: z
    .object({
      /** The membership that ends. */
      plan_type: oneOf(PLAN_TYPES).nullable(),
      ends_grant: z.boolean(),
      /** The provider subscriptions that are cancelled, so that nothing more is charged. */
      cancels: z.array(z.object({ provider: oneOf(PROVIDERS), external_subscription_id: z.string() })),
    })
    .nullable(),
});
export type GoldView = z.infer<typeof GoldView>;

/** The Gold of a psychologist, for the administrator. */
export const goldOperations = {
  read: operation({ method: "GET", path: "/admin/psychologists/{id}/gold" }).input(GoldInput).output(GoldView),
  grant: operation({ method: "PUT", path: "/admin/psychologists/{id}/gold" }).input(GrantInput).output(DoneView),
  end: operation({ method: "DELETE", path: "/admin/psychologists/{id}/gold" }).input(EndGoldInput).output(DoneView),
};
