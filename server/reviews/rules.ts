import type { ErrorCode } from "#shared/errors.ts";
import type { Viewer } from "../sessions/viewer.ts";

/** Why the viewer may not review a psychologist, or null. No one reviews themselves; a colleague may. */
export function whyCannotReview(
  viewer: Pick<Viewer, "id" | "consent_withdrawn"> | null,
  psychologistId: string,
): ErrorCode | null {
  if (!viewer) return "sign_in_to_review";
  if (viewer.id.toLowerCase() === psychologistId.toLowerCase()) return "own_review";
  return viewer.consent_withdrawn ? "consent_withdrawn" : null;
}

/** The author label of a review: the name only if the author shows it. */
export const reviewLabel = (review: { author_label: string | null; by_colleague: boolean }) =>
  review.author_label ?? (review.by_colleague ? "Colega" : "Usuario");
