import { z } from "zod";
import { ProfessionalView } from "./account-fields.ts";
import { AnsweringView, AnswerView, PsychologistCardView } from "./answers.ts";
import { COUNTRIES } from "./countries.ts";
import { IdInput, operation } from "./operation.ts";
import { ReviewingView, ReviewView } from "./reviews.ts";
import { id, isoDateTime, oneOf, optional } from "./text.ts";

/** Public page of a psychologist (specification, section 2.7). */
export const PsychologistView = PsychologistCardView.extend({
  ...ProfessionalView.shape,
  /** Text of the licence badge: with the prefix "MP ", or with its country's term. */
  license_badge: z.string(),
  verified_at: isoDateTime.nullable(),
  /** Links made from the psychologist's texts; null if a text allows none. */
  links: z.object({
    website: z.object({ href: z.string(), label: z.string() }).nullable(),
    phone: z.string().nullable(),
    whatsapp: z.string().nullable(),
  }),
  answers: z.array(
    AnswerView.pick({ id: true, content: true, created_at: true, upvotes: true, downvotes: true }).extend({
      consultation: z.object({ id, title: z.string(), noindex: z.boolean() }),
    }),
  ),
  reviews: z.array(ReviewView),
  /** Number of reviews with 1 star, 2 stars, and so on up to 5. */
  rating_counts: z.array(z.number()).length(5),
  viewer: ReviewingView.extend({
    mine: z.boolean(),
    can: z.object({ see_statistics: z.boolean() }),
  }),
});
export type PsychologistView = z.infer<typeof PsychologistView>;

/** An entry of the ranking; its position in the list is its rank. */
export const RankedView = PsychologistCardView.extend({
  country: z.string().nullable(),
  bio: z.string().nullable(),
  viewer: ReviewingView,
});
export type RankedView = z.infer<typeof RankedView>;

const statistics = { visits: z.number(), answers: z.number(), reviews: z.number(), votes: z.number() };

/** Statistics of a profile for its owner with Gold. Days are in UTC, the oldest first, up to today. */
export const StatisticsView = z.object({
  ...statistics,
  days: z.array(z.object({ date: z.string(), ...statistics })),
});
export type StatisticsView = z.infer<typeof StatisticsView>;

export const PsychologistPanelView = AnsweringView.extend({
  answers: z.number(),
  votes: z.number(),
  rating: z.number().nullable(),
  /** Unanswered consultations in the psychologist's country, or in all countries without one. */
  unanswered_in_country: z.number(),
  country: z.string().nullable(),
  /** The administrator rejected the account, and it was not corrected since. */
  was_rejected: z.boolean(),
});
export type PsychologistPanelView = z.infer<typeof PsychologistPanelView>;

export const psychologistsOperations = {
  ranking: operation("GET /psychologists", "The first ten of the ranking")
    .input(z.strictObject({ country: optional(oneOf(COUNTRIES)) }))
    .output(z.array(RankedView)),
  recordView: operation("POST /psychologists/{id}/views", "Record a visit; the response is the same for all visitors")
    .input(IdInput)
    .output(z.boolean()),
  viewCount: operation("GET /psychologists/{id}/views", "Visits, for the owner with Gold")
    .input(IdInput)
    .output(z.number()),
  statistics: operation("GET /psychologists/{id}/statistics", "Statistics, for the owner with Gold")
    .input(IdInput)
    .output(StatisticsView),
  get: operation("GET /psychologists/{id}", "A psychologist's public page").input(IdInput).output(PsychologistView),
  panel: operation("GET /psychologists/me/panel", "The signed-in psychologist's numbers").output(PsychologistPanelView),
};
