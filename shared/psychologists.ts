import { z } from "zod";
import { AnsweringView, PsychologistCardView } from "./answers.ts";
import { COUNTRIES } from "./countries.ts";
import { IdInput, none, operation } from "./operation.ts";
import { ReviewingView, ReviewView } from "./reviews.ts";
import { id, moment, oneOf, optional } from "./text.ts";

/** The public page of a psychologist (specification, section 2.7). */
export const PsychologistView = PsychologistCardView.extend({
  country: z.string().nullable(),
  license_number: z.string(),
  /** The licence as the badge shows it: with "MP " before it, or under the name that its country has for it. */
  license_badge: z.string(),
  /** When the licence was verified; null while it is not. */
  verified_at: moment.nullable(),
  bio: z.string().nullable(),
  phone: z.string().nullable(),
  whatsapp: z.string().nullable(),
  website: z.string().nullable(),
  /** Addresses made from what the psychologist wrote; null where it makes none. */
  links: z.object({
    website: z.object({ href: z.string(), label: z.string() }).nullable(),
    phone: z.string().nullable(),
    whatsapp: z.string().nullable(),
  }),
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
  /** The newest ones. */
  reviews: z.array(ReviewView),
  /** How many of all reviews gave 1 star, 2 stars, and so on up to 5. */
  rating_counts: z.array(z.number()).length(5),
  viewer: ReviewingView.extend({
    /** The viewer's own page. */
    mine: z.boolean(),
    can: z.object({ review: z.boolean(), see_statistics: z.boolean() }),
  }),
});
export type PsychologistView = z.infer<typeof PsychologistView>;

const RankingInput = z.strictObject({ country: optional(oneOf(COUNTRIES)) });

/** An entry of the ranking; its place in the list is its rank. */
export const RankedView = PsychologistCardView.extend({
  country: z.string().nullable(),
  bio: z.string().nullable(),
  viewer: ReviewingView,
});
export type RankedView = z.infer<typeof RankedView>;

/** What the owner with Gold reads about their profile. Days are in UTC, the oldest first, the last one is today. */
export const StatisticsView = z.object({
  visits: z.number(),
  answers: z.number(),
  reviews: z.number(),
  votes: z.number(),
  days: z.array(
    z.object({ date: z.string(), visits: z.number(), answers: z.number(), reviews: z.number(), votes: z.number() }),
  ),
});
export type StatisticsView = z.infer<typeof StatisticsView>;

/** The psychologist's own panel in the sidebar. */
export const PsychologistPanelView = AnsweringView.extend({
  answers: z.number(),
  votes: z.number(),
  rating: z.number().nullable(),
  /** Unanswered consultations in the psychologist's country; everywhere when they gave none. */
  unanswered_in_country: z.number(),
  country: z.string().nullable(),
});
export type PsychologistPanelView = z.infer<typeof PsychologistPanelView>;

/** Psychologists, for everyone and for themselves. */
export const psychologistsOperations = {
  ranking: operation({ method: "GET", path: "/psychologists", summary: "The first ten of the ranking" })
    .input(RankingInput)
    .output(z.array(RankedView)),
  recordView: operation({
    method: "POST",
    path: "/psychologists/{id}/views",
    summary: "Record a visit; the response is the same for everyone",
  })
    .input(IdInput)
    .output(z.boolean()),
  viewCount: operation({ method: "GET", path: "/psychologists/{id}/views", summary: "Visits, for the owner with Gold" })
    .input(IdInput)
    .output(z.number()),
  statistics: operation({
    method: "GET",
    path: "/psychologists/{id}/statistics",
    summary: "Statistics, for the owner with Gold",
  })
    .input(IdInput)
    .output(StatisticsView),
  get: operation({ method: "GET", path: "/psychologists/{id}", summary: "A psychologist's public page" })
    .input(IdInput)
    .output(PsychologistView),
  panel: operation({ method: "GET", path: "/psychologists/me/panel", summary: "The signed-in psychologist's numbers" })
    .input(none)
    .output(PsychologistPanelView),
};
