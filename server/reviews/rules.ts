import type { ErrorCode } from "#shared/errors.ts";
import type { Viewer } from "../sessions/viewer.ts";

/** Returns why the viewer may not delete their review of a psychologist, or null. */
export function whyCannotDeleteReview(viewer: Pick<Viewer, "id"> | null, psychologistId: string): ErrorCode | null {
  if (!viewer) return "sign_in_to_review";
  return viewer.id === psychologistId ? "cannot_review_self" : null;
}

/**
 * Returns why the viewer may not review a psychologist, or null. Psychologists may review others but not themselves.
 *
 * Without a consent the viewer can publish no new review, but can edit an existing one.
 * @param existing the viewer's review of this psychologist
 */
export function whyCannotReview(
  viewer: Pick<Viewer, "id" | "consent_withdrawn"> | null,
  psychologistId: string,
  existing?: object,
): ErrorCode | null {
  const refusal = whyCannotDeleteReview(viewer, psychologistId);
  if (refusal) return refusal;
  return viewer?.consent_withdrawn && !existing ? "consent_withdrawn" : null;
}

/** Returns the author label of a review: the name only if the author shows it. */
export const reviewLabel = (review: { author_label: string | null; by_colleague: boolean }) =>
  review.author_label ?? (review.by_colleague ? "Colega" : "Usuario");
