import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { IdInput, operation } from "./operation.ts";
import { checkbox, id, isoDateTime, optional, text } from "./text.ts";

const RATING_NEEDED = "Elige una calificación de 1 a 5.";
/** The user's review of a psychologist; a second one replaces it (specification, section 5.3). */
const ReviewInput = z.strictObject({
  id,
  rating: z.int(RATING_NEEDED).min(1, RATING_NEEDED).max(5, RATING_NEEDED),
  comment: optional(text(LIMITS.review)),
  show_name: checkbox,
});

export const ReviewView = z.object({
  id,
  rating: z.number(),
  comment: z.string().nullable(),
  created_at: isoDateTime,
  edited_at: isoDateTime.nullable(),
  /** The shown name, otherwise "Usuario", or "Colega" for another psychologist. */
  author_label: z.string(),
  by_colleague: z.boolean(),
  mine: z.boolean(),
});
export type ReviewView = z.infer<typeof ReviewView>;

export const OwnReviewView = ReviewView.pick({ id: true, rating: true, comment: true }).extend({
  show_name: z.boolean(),
});
export type OwnReviewView = z.infer<typeof OwnReviewView>;

export const ReviewingView = z.object({ review: OwnReviewView.nullable() });

const ReviewedView = z.object({ rating: z.number().nullable(), total_reviews: z.number() });

export const reviewsOperations = {
  put: operation("PUT /psychologists/{id}/review", "Set the viewer's review of a psychologist")
    .input(ReviewInput)
    .output(ReviewedView),
  delete: operation("DELETE /psychologists/{id}/review", "Delete the viewer's review")
    .input(IdInput)
    .output(ReviewedView),
};
