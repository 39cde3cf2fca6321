import { z } from "zod";
import { CONSENTS } from "./consents.ts";
import { DoneView, none, operation } from "./operation.ts";
import { PLAN_TYPES } from "./plans.ts";
import { id, moment, oneOf } from "./text.ts";
import { USER_TYPES } from "./user-types.ts";
import { castVote } from "./votes.ts";

const counts = { upvotes: z.number(), downvotes: z.number() };
const written = { created_at: moment, edited_at: moment.nullable() };
const money = { amount: z.number(), currency: z.string() };

/** Export of all stored data of a user (specification, section 2, "Account"). */
export const ExportView = z.object({
  exported_at: moment,
  account: z.object({
    id,
    full_name: z.string(),
    email: z.string(),
    user_type: oneOf(USER_TYPES),
    photo: z.string().nullable(),
    created_at: moment,
    updated_at: moment,
    email_verified_at: moment,
    password_changed_at: moment,
    weekly_consultations_used: z.number(),
    weekly_window_started_at: moment.nullable(),
    answer_mails: z.boolean(),
  }),
  psychologist: z
    .object({
      license_number: z.string(),
      specialty: z.string().nullable(),
      country: z.string().nullable(),
      bio: z.string().nullable(),
      phone: z.string().nullable(),
      whatsapp: z.string().nullable(),
      website: z.string().nullable(),
      created_at: moment,
      verified_at: moment.nullable(),
      rejected_at: moment.nullable(),
      rating: z.number().nullable(),
      total_reviews: z.number(),
      total_responses: z.number(),
      total_votes: z.number(),
      free_responses_used: z.number(),
      profile_visits: z.array(z.object({ day: z.string(), visits: z.number() })),
    })
    .nullable(),
  consents: z.array(
    z.object({ kind: oneOf(CONSENTS), version: z.string(), accepted_at: moment, withdrawn_at: moment.nullable() }),
  ),
  /** Known devices: only the day of the last sign-in is readable. */
  known_browsers: z.array(z.object({ last_day: z.string() })),
  sessions: z.array(
    z.object({ device: z.string().nullable(), created_at: moment, seen_at: moment, expires_at: moment }),
  ),
  email_changes: z.array(
    z.object({
      old_email: z.string(),
      new_email: z.string(),
      created_at: moment,
      confirmed_at: moment.nullable(),
      expires_at: moment,
    }),
  ),
  consultations: z.array(
    z.object({
      id,
      title: z.string(),
      content: z.string(),
      country: z.string(),
      category: z.string().nullable(),
      is_anonymous: z.boolean(),
      author_name: z.string().nullable(),
      mail_answers: z.boolean(),
      ...counts,
      response_count: z.number(),
      ...written,
    }),
  ),
  answers: z.array(
    z.object({ id, consultation_id: id, consultation_title: z.string(), content: z.string(), ...counts, ...written }),
  ),
  replies: z.array(z.object({ id, answer_id: id, consultation_id: id, content: z.string(), ...written })),
  reviews: z.array(
    z.object({
      psychologist_id: id,
      psychologist_name: z.string(),
      rating: z.number(),
      comment: z.string().nullable(),
      show_name: z.boolean(),
      ...written,
    }),
  ),
  consultation_votes: z.array(z.object({ consultation_id: id, vote: castVote, created_at: moment })),
  answer_votes: z.array(z.object({ answer_id: id, vote: castVote, created_at: moment })),
  memberships: z.array(
    z.object({
      provider: z.string(),
      external_subscription_id: z.string(),
      plan_type: z.string(),
      ...money,
      status: z.string(),
      next_billing_date: moment.nullable(),
      cancelled_at: moment.nullable(),
      created_at: moment,
    }),
  ),
  gold_grants: z.array(
    z.object({
      starts_at: moment,
      ends_at: moment.nullable(),
      reason: z.string(),
      ended_at: moment.nullable(),
    }),
  ),
  payments: z.array(
    z.object({
      provider: z.string(),
      external_payment_id: z.string(),
      ...money,
      refunded_amount: z.number().nullable(),
      status: z.string(),
      paid_at: moment,
    }),
  ),
  checkouts: z.array(
    z.object({
      provider: z.string(),
      external_id: z.string().nullable(),
      plan_type: z.string(),
      ...money,
      state: z.string(),
      created_at: moment,
    }),
  ),
});
export type ExportView = z.infer<typeof ExportView>;

/** Download of an export. Its body is the JSON of `ExportView`. */
const ExportDownload = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.instanceof(ReadableStream<Uint8Array>),
});

/** Consequences of deleting the account, shown before the deletion. */
export const ClosingView = z.object({
  named_consultations: z.number(),
  anonymous_consultations: z.number(),
  answers: z.number(),
  replies: z.number(),
  named_reviews: z.number(),
  nameless_reviews: z.number(),
  votes: z.number(),
  membership: oneOf(PLAN_TYPES).nullable(),
});
export type ClosingView = z.infer<typeof ClosingView>;

/** Fate of texts without a name: deleted over the next days, or anonymised. */
const CloseInput = z.strictObject({ nameless: oneOf(["delete", "keep"]) });

export const ownDataOperations = {
  export: operation({
    method: "POST",
    path: "/account/export",
    summary: "Everything that is kept about oneself",
    outputStructure: "detailed",
    spec: (document) => ({
      ...document,
      responses: {
        200: { description: "OK", content: { "application/json": { schema: z.toJSONSchema(ExportView) as object } } },
      },
    }),
  })
    .input(none)
    .output(ExportDownload),
  closing: operation({
    method: "GET",
    path: "/account/closing",
    summary: "What goes and what stays when the account is deleted",
  })
    .input(none)
    .output(ClosingView),
  close: operation({ method: "DELETE", path: "/account", summary: "Delete the user's own account, for good" })
    .input(CloseInput)
    .output(DoneView),
};
