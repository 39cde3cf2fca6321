import { AppError, assertAllowed } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { lockPsychologist } from "../threads/store.ts";
import { whyCannotDeleteReview, whyCannotReview } from "./rules.ts";
import { deleteReview, ownReviews, recountReviews, upsertReview } from "./store.ts";

type Reviewed = { rating: number | null; total_reviews: number };

/** Serialises changes of a psychologist's reviews and recounts them. */
async function change(
  context: Context,
  psychologistId: string,
  write: (tx: Tx, now: Date) => Promise<unknown>,
): Promise<Reviewed> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    if (!(await lockPsychologist(tx, psychologistId, now))) throw new AppError("psychologist_not_found");
    await write(tx, now);
    return (await recountReviews(tx, [psychologistId]))[0]!;
  });
}

/**
 * Sets the viewer's single review of a psychologist. Replaces an earlier one and marks it as edited.
 * @throws AppError psychologist_not_found, cannot_review_self, consent_withdrawn
 */
export const saveReview = (
  context: Context,
  viewer: Viewer,
  psychologistId: string,
  { rating, comment = null, show_name }: { rating: number; comment?: string | null; show_name: boolean },
): Promise<Reviewed> =>
  change(context, psychologistId, async (tx, now) => {
    const [existing] = await ownReviews(tx, [psychologistId], viewer.id);
    assertAllowed(whyCannotReview(viewer, psychologistId, existing));
    await upsertReview(tx, { psychologist_id: psychologistId, user_id: viewer.id, rating, comment, show_name }, now);
  });

/**
 * Deletes the viewer's review, if it exists.
 * @throws AppError psychologist_not_found, cannot_review_self
 */
export const withdrawReview = (context: Context, viewer: Viewer, psychologistId: string): Promise<Reviewed> =>
  change(context, psychologistId, (tx) => {
    assertAllowed(whyCannotDeleteReview(viewer, psychologistId));
    return deleteReview(tx, psychologistId, viewer.id);
  });
