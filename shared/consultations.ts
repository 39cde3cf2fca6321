import { z } from "zod";
import { AnsweringView, AnswerView } from "./answers.ts";
import { CATEGORIES } from "./categories.ts";
import { COUNTRIES } from "./countries.ts";
import { LIMITS } from "./limits.ts";
import { professionError } from "./names.ts";
import { CreatedView, cursor, DoneView, IdInput, operation, pageView, pressKey } from "./operation.ts";
import { ANSWER_SORTS, CONSULTATION_SORTS } from "./sorts.ts";
import {
  checkbox,
  id,
  isoDateTime,
  nameLine,
  oneOf,
  optional,
  optionalCheckbox,
  personName,
  refuse,
  requiredCheckbox,
  singleLine,
  text,
  version,
} from "./text.ts";
import { myVote, VoteInput, VoteResultView } from "./votes.ts";

export const NewConsultationInput = z.strictObject({
  title: singleLine(LIMITS.title),
  content: text(LIMITS.content),
  country: oneOf(COUNTRIES, "Elige tu país."),
  category: optional(oneOf(CATEGORIES)),
  is_anonymous: checkbox,
  author_name: optional(personName(LIMITS.name).check(refuse((name) => professionError(name, "user")))),
  notify_on_answer: checkbox,
  noindex: checkbox,
  key: pressKey,
});

/** An edited consultation, always with all fields. */
const EditConsultationInput = NewConsultationInput.omit({ key: true }).extend({
  id,
  /** Required, because "no" by default would publish a name. */
  is_anonymous: requiredCheckbox("Di si la consulta es anónima."),
  /** Validated only if it changes. */
  author_name: optional(nameLine(LIMITS.name)),
  notify_on_answer: optionalCheckbox,
  noindex: optionalCheckbox,
});

const FeedInput = z.strictObject({
  country: optional(oneOf(COUNTRIES)),
  category: optional(oneOf(CATEGORIES)),
  sort: optional(oneOf(CONSULTATION_SORTS)),
  cursor,
});

const ConsultationInput = z.strictObject({
  id,
  sort: optional(oneOf(ANSWER_SORTS)),
  cursor,
  /** Starts with this answer. */
  answer: optional(id),
  /** A further page of that answer's replies. */
  replies_cursor: cursor,
  /** Starts with this reply and its answer. */
  reply: optional(id),
});

/** A public consultation. If anonymous, it has no field that identifies its author. */
export const ConsultationView = z.object({
  id,
  title: z.string(),
  content: z.string(),
  country: z.string(),
  category: z.string().nullable(),
  is_anonymous: z.boolean(),
  /** True if the author does not want search engines to list it. */
  noindex: z.boolean(),
  /** Label of the author: "Anónimo", the display name, or the profile's full name. */
  author_label: z.string(),
  created_at: isoDateTime,
  edited_at: isoDateTime.nullable(),
  upvotes: z.number(),
  downvotes: z.number(),
  response_count: z.number(),
});
export type ConsultationView = z.infer<typeof ConsultationView>;

export const FeedView = pageView(ConsultationView);
export type FeedView = z.infer<typeof FeedView>;

/** The user's own consultation, with the number of unseen answers and the beginning of the newest answer. */
export const OwnConsultationView = ConsultationView.extend({
  new_answers: z.number(),
  newest_answer: z.object({ id, author: z.string(), content: z.string() }).nullable(),
});
export type OwnConsultationView = z.infer<typeof OwnConsultationView>;

export const OwnFeedView = pageView(OwnConsultationView);
export type OwnFeedView = z.infer<typeof OwnFeedView>;

const OwnConsultationsInput = z.strictObject({
  cursor,
  /** "yes" if the page does not show the list itself, so that new answers stay unseen. */
  peek: optional(oneOf(["yes"])),
});

export const ConsultationDetailView = z.object({
  consultation: ConsultationView,
  answers: z.array(AnswerView),
  next_answers_cursor: z.string().nullable(),
  /** Items that the page omits before its first one: answers, and replies of the given answer. */
  leaves_out: z.object({ answers: z.boolean(), replies_of: id.nullable() }),
  viewer: z.object({
    vote: myVote,
    mine: z.boolean(),
    /** The next two are null for all viewers except the author. */
    author_name: z.string().nullable(),
    notify_on_answer: z.boolean().nullable(),
    can: z.object({ answer: z.boolean(), reply: z.boolean() }),
    /** Null unless the viewer is the administrator and may remove it. */
    removal_version: version.nullable(),
    /** Null unless the viewer is a psychologist. */
    answering: AnsweringView.nullable(),
  }),
});
export type ConsultationDetailView = z.infer<typeof ConsultationDetailView>;

export const WeeklyLimitView = z.object({
  used: z.number(),
  max_consultations: z.number(),
  days_until_reset: z.number(),
  /** Time at which the user may ask again; null if the limit is unused. */
  resets_at: isoDateTime.nullable(),
  /** Country of the consultation that used the limit, for the help lines next to the limit. */
  country: z.string().nullable(),
});
export type WeeklyLimitView = z.infer<typeof WeeklyLimitView>;

export const CommunityView = z.object({ consultations: z.number(), psychologists: z.number(), answers: z.number() });
export type CommunityView = z.infer<typeof CommunityView>;

export const consultationsOperations = {
  list: operation("GET /consultations", "The feed, a page at a time").input(FeedInput).output(FeedView),
  get: operation("GET /consultations/{id}", "One consultation with its answers")
    .input(ConsultationInput)
    .output(ConsultationDetailView),
  create: operation("POST /consultations", "Ask", 201).input(NewConsultationInput).output(CreatedView),
  edit: operation("PATCH /consultations/{id}", "Edit the user's own consultation")
    .input(EditConsultationInput)
    .output(DoneView),
  chooseMails: operation(
    "PUT /consultations/{id}/mails",
    "Choose whether answers to the user's own consultation are mailed",
  )
    .input(z.strictObject({ id, notify_on_answer: checkbox }))
    .output(DoneView),
  delete: operation("DELETE /consultations/{id}", "Delete the user's own consultation").input(IdInput).output(DoneView),
  vote: operation("PUT /consultations/{id}/vote", "Set the viewer's vote").input(VoteInput).output(VoteResultView),
  mine: operation("GET /profile/consultations", "The user's own consultations, newest first")
    .input(OwnConsultationsInput)
    .output(OwnFeedView),
  weeklyLimit: operation("GET /weekly-limit", "The viewer's weekly limit").output(WeeklyLimitView),
  community: operation("GET /community", "Numbers of the community").output(CommunityView),
};
