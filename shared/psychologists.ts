import { z } from "zod";
import { PsychologistCardView } from "./answers.ts";
import { id, moment, oneOf } from "./text.ts";

/** The public page of a psychologist (specification, section 2). */
export const PsychologistView = PsychologistCardView.extend({
  country: z.string().nullable(),
  license_number: z.string(),
  bio: z.string().nullable(),
  phone: z.string().nullable(),
  whatsapp: z.string().nullable(),
  website: z.string().nullable(),
  answers: z.array(
    z.object({
      id,
      content: z.string(),
      created_at: moment,
      upvotes: z.number(),
      downvotes: z.number(),
      consultation: z.object({ id, title: z.string() }),
    }),
  ),
});
export type PsychologistView = z.infer<typeof PsychologistView>;

/** The psychologist's own panel in the sidebar. */
export const PsychologistPanelView = z.object({
  state: oneOf(["unlimited", "free", "limit_reached", "pending"]),
  free_answers_left: z.number(),
  answers: z.number(),
  votes: z.number(),
  rating: z.number().nullable(),
  /** Unanswered consultations in the psychologist's country; everywhere when they gave none. */
  unanswered_in_country: z.number(),
  country: z.string().nullable(),
});
export type PsychologistPanelView = z.infer<typeof PsychologistPanelView>;

export const IdInput = z.strictObject({ id });
