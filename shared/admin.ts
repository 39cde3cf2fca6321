import { z } from "zod";
import { ProfessionalView } from "./account-fields.ts";
import { PsychologistCardView } from "./answers.ts";
import { ConsultationView } from "./consultations.ts";
import { COUNTRIES } from "./countries.ts";
import { LIMITS } from "./limits.ts";
import { cursor, DecisionInput, DoneView, IdInput, operation, pageView } from "./operation.ts";
import { HelpLineView } from "./safety.ts";
import { id, isoDateTime, oneOf, optional, singleLine, text, version } from "./text.ts";

export const PendingPsychologistView = ProfessionalView.omit({ website: true }).extend({
  id,
  version,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  created_at: isoDateTime,
  /** Time of the last licence check; null if not verified. */
  verified_at: isoDateTime.nullable(),
  rejected_at: isoDateTime.nullable(),
  /** Verified fields that changed since the last check; null if never verified. */
  changed_since_check: z.array(z.string()).nullable(),
});
export type PendingPsychologistView = z.infer<typeof PendingPsychologistView>;

export const AdminSummaryView = z.object({
  psychologists: z.number(),
  pending: z.number(),
  verified: z.number(),
  consultations: z.number(),
  messages: z.number(),
  payments: z.number(),
});
export type AdminSummaryView = z.infer<typeof AdminSummaryView>;

const AdminConsultationsInput = z.strictObject({
  /** Words of the title or the text. */
  q: optional(singleLine({ min: 1, max: LIMITS.adminSearch.max })),
  cursor,
});

/** A consultation in the administrator's list, as all users see it: here too, an anonymous consultation has no author. */
export const AdminConsultationView = ConsultationView.omit({
  noindex: true,
  edited_at: true,
  upvotes: true,
  downvotes: true,
}).extend({ version });
export type AdminConsultationView = z.infer<typeof AdminConsultationView>;

export const AdminConsultationsView = pageView(AdminConsultationView);
export type AdminConsultationsView = z.infer<typeof AdminConsultationsView>;

/** Decisions that can be undone for `LIMITS.undoSeconds` seconds: actions in the audit log. */
export const DECISIONS = [
  "psychologist_approved",
  "licence_checked_again",
  "psychologist_rejected",
  "consultation_deleted",
] as const;
export type Decision = (typeof DECISIONS)[number];

export const UndoableDecisionView = z.object({
  id,
  decision: oneOf(DECISIONS),
  /** The psychologist, or the removed consultation; its name or title. */
  target_id: id,
  name: z.string(),
  /** Its position in the lists. */
  listed_at: isoDateTime,
  /** Whole seconds, rounded up. */
  seconds_left: z.number(),
});
export type UndoableDecisionView = z.infer<typeof UndoableDecisionView>;

const AdminPsychologistsInput = z.strictObject({
  /** Due: verified, but the licence check has lapsed. */
  state: optional(oneOf(["verified", "pending", "due"])),
  country: optional(oneOf(COUNTRIES)),
  gold: optional(oneOf(["yes", "no"])),
  cursor,
});

const AdminPsychologistView = PsychologistCardView.extend({
  ...PendingPsychologistView.shape,
  check_due: z.boolean(),
});
export type AdminPsychologistView = z.infer<typeof AdminPsychologistView>;

const VerificationView = AdminPsychologistView.pick({
  id: true,
  is_verified: true,
  verified_at: true,
  rejected_at: true,
});

/** Never contains the text of the mail. */
export const UndeliveredMailView = z.object({
  id,
  version,
  kind: z.string(),
  created_at: isoDateTime,
  attempts: z.number(),
  gave_up: z.boolean(),
  last_error: z.string().nullable(),
});
export type UndeliveredMailView = z.infer<typeof UndeliveredMailView>;

export const adminOperations = {
  summary: operation("GET /admin/summary").output(AdminSummaryView),
  pendingPsychologists: operation("GET /admin/psychologists/pending")
    .input(z.strictObject({ cursor }))
    .output(pageView(PendingPsychologistView)),
  approve: operation("PUT /admin/psychologists/{id}/verification").input(DecisionInput).output(VerificationView),
  reject: operation("DELETE /admin/psychologists/{id}/verification")
    .input(DecisionInput.extend({ reason: optional(text({ min: 0, max: LIMITS.rejectionReason.max })) }))
    .output(VerificationView),
  psychologists: operation("GET /admin/psychologists")
    .input(AdminPsychologistsInput)
    .output(pageView(AdminPsychologistView)),
  consultations: operation("GET /admin/consultations").input(AdminConsultationsInput).output(AdminConsultationsView),
  deleteConsultation: operation("DELETE /admin/consultations/{id}").input(DecisionInput).output(DoneView),
  undoable: operation("GET /admin/decisions/undoable").output(z.array(UndoableDecisionView)),
  // A decision never changes, so it needs no version.
  undo: operation("POST /admin/decisions/{id}/undo").input(IdInput).output(DoneView),
  overdueHelpLines: operation("GET /admin/help-lines/overdue").output(z.array(HelpLineView)),
  undeliveredMails: operation("GET /admin/mails").output(z.array(UndeliveredMailView)),
  retryMail: operation("POST /admin/mails/{id}/retry").input(DecisionInput).output(DoneView),
};
