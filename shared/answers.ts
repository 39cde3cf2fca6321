import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { CreatedView, cursor, DoneView, emptyInput, IdInput, operation, pageView, pressKey } from "./operation.ts";
import { ANSWER_SORTS } from "./sorts.ts";
import { id, isoDateTime, oneOf, optional, singleLine, text } from "./text.ts";
import { myVote, VoteInput, VoteResultView } from "./votes.ts";

/** The edited text of the answer with this id. */
const AnswerInput = z.strictObject({ id, content: text(LIMITS.answer) });
/** A new answer to the consultation with this id. */
const NewAnswerInput = AnswerInput.extend({ key: pressKey });

/** The edited text of the reply with this id. */
const ReplyInput = z.strictObject({ id, content: text(LIMITS.reply) });
/** A new reply to the answer with this id. */
const NewReplyInput = ReplyInput.extend({ key: pressKey });

/** A psychologist's stored text to insert into answers. */
const TemplateView = z.object({ id, title: z.string(), content: z.string() });
export type TemplateView = z.infer<typeof TemplateView>;

/** A new text, or the changed one with this id. Its first line is the title if none is given. */
export const TemplateInput = AnswerInput.extend({
  id: optional(id),
  title: optional(singleLine(LIMITS.templateTitle)),
});

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

/** A new answer, and what its psychologist may still answer. */
const NewAnswerView = CreatedView.extend({
  answering: AnsweringView.pick({ state: true, free_answers_left: true }),
});

/** A psychologist's card on an answer, in the ranking or at the top of the profile. */
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

/** The consultation of an edited or deleted text. */
const ChangedView = OwnWordsView.pick({ consultation_id: true });

const published = { id, content: z.string(), created_at: isoDateTime, edited_at: isoDateTime.nullable() };

/** A reply never contains its author: all are labelled "Usuario". `mine` is true only for its author, who may change it. */
export const ReplyView = z.object({ ...published, viewer: z.object({ mine: z.boolean() }) });
export type ReplyView = z.infer<typeof ReplyView>;

const AnswersInput = z.strictObject({ id, sort: optional(oneOf(ANSWER_SORTS)), cursor });

/** A page of an answer's replies, oldest first. */
const RepliesInput = z.strictObject({ id, cursor });

export const RepliesView = pageView(ReplyView).extend({ consultation_id: id });
export type RepliesView = z.infer<typeof RepliesView>;

export const AnswerView = z.object({
  ...published,
  upvotes: z.number(),
  downvotes: z.number(),
  psychologist: PsychologistCardView,
  /** The first replies, or the replies from the requested one on. */
  replies: z.array(ReplyView),
  /** Number of all replies. */
  reply_count: z.number(),
  next_replies_cursor: z.string().nullable(),
  viewer: z.object({
    vote: myVote,
    thanked: z.boolean(),
    /** Number of people who thanked; null unless the viewer is the answer's psychologist. */
    thanks: z.number().nullable(),
    /** The viewer's own newest replies after the ones above. Only for their author. */
    replies: z.array(ReplyView),
    /** True only for the answer's psychologist, who may edit and delete it. */
    mine: z.boolean(),
    can: z.object({ vote: z.boolean() }),
  }),
});
export type AnswerView = z.infer<typeof AnswerView>;

/** Whether the viewer says that the answer with this id helped. */
const ThanksInput = z.strictObject({ id, on: z.boolean() });
const ThanksView = z.object({ thanked: z.boolean() });

const AnswersView = pageView(AnswerView);

export const answersOperations = {
  list: operation("GET /consultations/{id}/answers", "The answers of a consultation, a page at a time")
    .input(AnswersInput)
    .output(AnswersView),
  create: operation("POST /consultations/{id}/answers", "Answer a consultation", 201)
    .input(NewAnswerInput)
    .output(NewAnswerView),
  vote: operation("PUT /answers/{id}/vote", "Set the viewer's vote").input(VoteInput).output(VoteResultView),
  thank: operation("PUT /answers/{id}/thanks", "Say privately that an answer helped, or take it back")
    .input(ThanksInput)
    .output(ThanksView),
  reply: operation("POST /answers/{id}/replies", "Reply to an answer", 201).input(NewReplyInput).output(CreatedView),
  own: operation("GET /answers/{id}", "The user's own answer, to edit it").input(IdInput).output(OwnWordsView),
  edit: operation("PATCH /answers/{id}", "Edit the user's own answer").input(AnswerInput).output(ChangedView),
  delete: operation("DELETE /answers/{id}", "Delete the user's own answer").input(IdInput).output(ChangedView),
  templates: operation("GET /profile/templates", "A psychologist's own stored texts")
    .input(emptyInput)
    .output(z.array(TemplateView)),
  saveTemplate: operation("PUT /profile/templates", "Store a text to insert into answers")
    .input(TemplateInput)
    .output(CreatedView),
  deleteTemplate: operation("DELETE /profile/templates/{id}", "Delete a stored text").input(IdInput).output(DoneView),
};

export const repliesOperations = {
  list: operation("GET /answers/{id}/replies", "The replies to an answer, oldest first, a page at a time")
    .input(RepliesInput)
    .output(RepliesView),
  own: operation("GET /replies/{id}", "The user's own reply, to edit it").input(IdInput).output(OwnWordsView),
  edit: operation("PATCH /replies/{id}", "Edit the user's own reply").input(ReplyInput).output(ChangedView),
  delete: operation("DELETE /replies/{id}", "Delete the user's own reply")
    .input(IdInput)
    .output(ChangedView.extend({ answer_id: id })),
};
