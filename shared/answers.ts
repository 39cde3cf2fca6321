import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { id, moment, oneOf, text } from "./text.ts";

export const NewAnswerInput = z.strictObject({ id, content: text(LIMITS.answer) });
export const NewReplyInput = z.strictObject({ id, content: text(LIMITS.reply) });

/** A psychologist beside an answer, in the ranking or at the head of their page. */
export const PsychologistCardView = z.object({
  id,
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  specialty: z.string().nullable(),
  is_verified: z.boolean(),
  has_gold: z.boolean(),
  rating: z.number().nullable(),
  total_reviews: z.number(),
  total_responses: z.number(),
});
export type PsychologistCardView = z.infer<typeof PsychologistCardView>;

/** A reply never says who wrote it: every one is labelled "Usuario". */
export const ReplyView = z.object({ id, content: z.string(), created_at: moment, edited_at: moment.nullable() });
export type ReplyView = z.infer<typeof ReplyView>;

export const AnswerView = z.object({
  id,
  content: z.string(),
  created_at: moment,
  edited_at: moment.nullable(),
  upvotes: z.number(),
  downvotes: z.number(),
  psychologist: PsychologistCardView,
  replies: z.array(ReplyView),
  viewer: z.object({ vote: oneOf(["up", "down"]).nullable(), can: z.object({ vote: z.boolean() }) }),
});
export type AnswerView = z.infer<typeof AnswerView>;
