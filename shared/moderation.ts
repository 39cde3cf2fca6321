import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { id, moment, optional, text } from "./text.ts";

export const RejectionInput = z.strictObject({
  id,
  reason: optional(text({ min: 0, max: LIMITS.rejectionReason.max })),
});

export const PendingPsychologistView = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  license_number: z.string(),
  specialty: z.string().nullable(),
  country: z.string().nullable(),
  bio: z.string().nullable(),
  phone: z.string().nullable(),
  whatsapp: z.string().nullable(),
  created_at: moment,
  /** The last rejection, if there was one. */
  rejected_at: moment.nullable(),
});
export type PendingPsychologistView = z.infer<typeof PendingPsychologistView>;

export const AdminSummaryView = z.object({
  psychologists: z.number(),
  pending: z.number(),
  verified: z.number(),
  consultations: z.number(),
});
export type AdminSummaryView = z.infer<typeof AdminSummaryView>;

/** A mail that could not be delivered yet. It names the kind of mail, never its text. */
export const UndeliveredMailView = z.object({
  id,
  kind: z.string(),
  created_at: moment,
  attempts: z.number(),
  gave_up: z.boolean(),
  last_error: z.string().nullable(),
});
export type UndeliveredMailView = z.infer<typeof UndeliveredMailView>;

export const DoneView = z.object({ done: z.literal(true) });
