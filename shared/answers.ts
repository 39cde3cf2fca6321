import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { CreatedView, cursor, DoneView, IdInput, operation, pageView, pressKey } from "./operation.ts";
import { ANSWER_SORTS } from "./sorts.ts";
import { id, isoDateTime, oneOf, optional, singleLine, text } from "./text.ts";
import { myVote, VoteInput, VoteResultView } from "./votes.ts";

const AnswerInput = z.strictObject({ id, content: text(LIMITS.answer) });
const ReplyInput = z.strictObject({ id, content: text(LIMITS.reply) });
/** A psychologist's stored text to insert into answers. */
const TemplateView = z.object({ id, title: z.string(), content: z.string() });
export type TemplateView = z.infer<typeof TemplateView>;

export const AnsweringView = z.object({
  state: oneOf(["unlimited", "free", "limit_reached", "pending"]),
  free_responses_used: z.number(),
  max_free_responses: z.number(),
  free_answers_left: z.number(),
  /** True while the provider confirms a payment for Gold: the page offers no second one. */
  payment_pending: z.boolean(),
  templates: z.array(TemplateView.omit({ content: true })),
});
export type AnsweringView = z.infer<typeof AnsweringView>;

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

const OwnWordsView = z.object({ id, content: z.string(), consultation_id: id });

const ChangedView = OwnWordsView.pick({ consultation_id: true });

const published = { id, content: z.string(), created_at: isoDateTime, edited_at: isoDateTime.nullable() };

/** A reply never contains its author: all are labelled "Usuario". */
export const ReplyView = z.object({ ...published, viewer: z.object({ mine: z.boolean() }) });
export type ReplyView = z.infer<typeof ReplyView>;

export const RepliesView = pageView(ReplyView).extend({ consultation_id: id });
export type RepliesView = z.infer<typeof RepliesView>;

export const AnswerView = z.object({
  ...published,
  upvotes: z.number(),
  downvotes: z.number(),
  psychologist: PsychologistCardView,
  /** The first replies, or the replies from the requested one on. */
  replies: z.array(ReplyView),
  reply_count: z.number(),
  next_replies_cursor: z.string().nullable(),
  viewer: z.object({
    vote: myVote,
    thanked: z.boolean(),
    /** Number of people who thanked; null unless the viewer is the answer's psychologist. */
    thanks: z.number().nullable(),
    /** The viewer's own newest replies after these. */
    replies: z.array(ReplyView),
    mine: z.boolean(),
    can: z.object({ vote: z.boolean() }),
  }),
});
export type AnswerView = z.infer<typeof AnswerView>;

export const answersOperations = {
  list: operation("GET /consultations/{id}/answers", "The answers of a consultation, a page at a time")
    .input(z.strictObject({ id, sort: optional(oneOf(ANSWER_SORTS)), cursor }))
    .output(pageView(AnswerView)),
  create: operation("POST /consultations/{id}/answers", "Answer a consultation", 201)
    .input(AnswerInput.extend({ key: pressKey }))
    // The new answer, and what its psychologist may still answer.
    .output(CreatedView.extend({ answering: AnsweringView.pick({ state: true, free_answers_left: true }) })),
  vote: operation("PUT /answers/{id}/vote", "Set the viewer's vote").input(VoteInput).output(VoteResultView),
  thank: operation("PUT /answers/{id}/thanks", "Say privately that an answer helped, or take it back")
    .input(z.strictObject({ id, on: z.boolean() }))
    .output(z.object({ thanked: z.boolean() })),
  reply: operation("POST /answers/{id}/replies", "Reply to an answer", 201)
    .input(ReplyInput.extend({ key: pressKey }))
    .output(CreatedView),
  own: operation("GET /answers/{id}", "The user's own answer, to edit it").input(IdInput).output(OwnWordsView),
  edit: operation("PATCH /answers/{id}", "Edit the user's own answer").input(AnswerInput).output(ChangedView),
  delete: operation("DELETE /answers/{id}", "Delete the user's own answer").input(IdInput).output(ChangedView),
  templates: operation("GET /profile/templates", "A psychologist's own stored texts").output(z.array(TemplateView)),
  saveTemplate: operation("PUT /profile/templates", "Store a text to insert into answers")
    // A new text, or the changed one with this id. Its first line is the title if none is given.
    .input(AnswerInput.extend({ id: optional(id), title: optional(singleLine(LIMITS.templateTitle)) }))
    .output(CreatedView),
  deleteTemplate: operation("DELETE /profile/templates/{id}", "Delete a stored text").input(IdInput).output(DoneView),
};

export const repliesOperations = {
  list: operation("GET /answers/{id}/replies", "The replies to an answer, oldest first, a page at a time")
    .input(z.strictObject({ id, cursor }))
    .output(RepliesView),
  own: operation("GET /replies/{id}", "The user's own reply, to edit it").input(IdInput).output(OwnWordsView),
  edit: operation("PATCH /replies/{id}", "Edit the user's own reply").input(ReplyInput).output(ChangedView),
  delete: operation("DELETE /replies/{id}", "Delete the user's own reply")
    .input(IdInput)
    .output(ChangedView.extend({ answer_id: id })),
};
