import { z } from "zod";
import { checkbox } from "./checkbox.ts";
import { LIMITS } from "./limits.ts";
import { IdInput, operation } from "./operation.ts";
import { id, isoDateTime, optional, text } from "./text.ts";

/** The user's review of a psychologist; a second one replaces it (specification, section 5.3). */
const ReviewInput = z.strictObject({
  id,
  rating: z
    .int("Elige una calificación de 1 a 5.")
    .min(1, "Elige una calificación de 1 a 5.")
    .max(5, "Elige una calificación de 1 a 5."),
  comment: optional(text(LIMITS.review)),
  show_name: checkbox,
});

/** A public review. Contains the author only if the author shows the name. */
export const ReviewView = z.object({
  id,
  rating: z.number(),
  comment: z.string().nullable(),
  created_at: isoDateTime,
  edited_at: isoDateTime.nullable(),
  /** The shown name, otherwise "Usuario", or "Colega" for another psychologist. */
  author_label: z.string(),
  by_colleague: z.boolean(),
  /** True only for the author. */
  mine: z.boolean(),
});
export type ReviewView = z.infer<typeof ReviewView>;

export const OwnReviewView = ReviewView.pick({ id: true, rating: true, comment: true }).extend({
  show_name: z.boolean(),
});
export type OwnReviewView = z.infer<typeof OwnReviewView>;

/** The viewer's own review of a psychologist. */
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
