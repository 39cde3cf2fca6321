import { minuteOf } from "#shared/time.ts";
import { reviewLabel } from "./rules.ts";
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
