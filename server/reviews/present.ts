import type { ReviewingView } from "#shared/reviews.ts";
import { minuteOf } from "#shared/time.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { reviewLabel, whyCannotReview } from "./rules.ts";
import type { OwnReviewRow, ReviewRow } from "./store.ts";

/** Adapts reviews of the public view and marks the viewer's own. */
export const presentReviews = (reviews: ReviewRow[], own: OwnReviewRow | undefined) =>
  reviews.map((review) => ({
    ...review,
    created_at: minuteOf(review.created_at),
    edited_at: review.edited_at && minuteOf(review.edited_at),
    author_label: reviewLabel(review),
    mine: review.id === own?.id,
  }));

/** Maps the viewer's rights and review of a psychologist. */
export const presentReviewing = (
  viewer: Viewer | null,
  psychologistId: string,
  own: OwnReviewRow | undefined,
): ReviewingView => ({
  can: { review: whyCannotReview(viewer, psychologistId, own) === null },
  review: own ?? null,
});
