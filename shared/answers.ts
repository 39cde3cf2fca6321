import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { ANSWER_SORTS } from "./lists.ts";
import { id, line, moment, oneOf, optional, text } from "./text.ts";

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

export const EditAnswerInput = z.strictObject({ id, content: text(LIMITS.answer) });
export const EditReplyInput = z.strictObject({ id, content: text(LIMITS.reply) });

/** An answer or a reply, only for its author: what the edit form shows. */
export const OwnWordsView = z.object({ id, content: z.string(), consultation_id: id });

/** A reply never says who wrote it: every one is labelled "Usuario". Only its author is told what they may do with it. */
export const ReplyView = z.object({
  id,
  content: z.string(),
  created_at: moment,
  edited_at: moment.nullable(),
  viewer: z.object({ can: z.object({ edit: z.boolean(), delete: z.boolean() }) }),
});
export type ReplyView = z.infer<typeof ReplyView>;

const cursor = optional(line({ min: 1, max: 300 }));

/** A page of a consultation's answers. */
export const AnswersInput = z.strictObject({ id, sort: optional(oneOf(ANSWER_SORTS)), cursor });

/** A page of an answer's replies, oldest first. */
export const RepliesInput = z.strictObject({ id, cursor });

export const RepliesView = z.object({ items: z.array(ReplyView), next_cursor: z.string().nullable() });
export type RepliesView = z.infer<typeof RepliesView>;

export const AnswerView = z.object({
  id,
  content: z.string(),
  created_at: moment,
  edited_at: moment.nullable(),
  upvotes: z.number(),
  downvotes: z.number(),
  psychologist: PsychologistCardView,
  /** The first replies, or those from the one that was asked for. */
  replies: z.array(ReplyView),
  /** All of them. */
  reply_count: z.number(),
  next_replies_cursor: z.string().nullable(),
  viewer: z.object({
    vote: oneOf(["up", "down"]).nullable(),
    /** The viewer's own newest replies that come after the ones above. Only for their author. */
    replies: z.array(ReplyView),
    can: z.object({ vote: z.boolean(), edit: z.boolean(), delete: z.boolean() }),
  }),
});
export type AnswerView = z.infer<typeof AnswerView>;

export const AnswersView = z.object({ items: z.array(AnswerView), next_cursor: z.string().nullable() });
export type AnswersView = z.infer<typeof AnswersView>;
