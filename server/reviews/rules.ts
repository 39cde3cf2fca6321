import type { ErrorCode } from "#shared/errors.ts";
import type { Viewer } from "../sessions/viewer.ts";

/** Why the viewer may not delete their review of a psychologist, or null. */
export function whyCannotDeleteReview(viewer: Pick<Viewer, "id"> | null, psychologistId: string): ErrorCode | null {
  if (!viewer) return "sign_in_to_review";
  return viewer.id.toLowerCase() === psychologistId.toLowerCase() ? "own_review" : null;
}

/**
 * Why the viewer may not review a psychologist, or null. No one reviews themselves; a colleague may. Without a consent
 * nothing new is published, but what is there can be corrected.
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

/** The author label of a review: the name only if the author shows it. */
export const reviewLabel = (review: { author_label: string | null; by_colleague: boolean }) =>
  review.author_label ?? (review.by_colleague ? "Colega" : "Usuario");
