import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { lockPsychologist } from "../threads/store.ts";
import { deleteReview, ownReviews, recountReviews, upsertReview } from "./store.ts";

/** Serialises changes of a psychologist's reviews by others and recounts them. */
const change = ({ db, now }: Context, viewer: Viewer, id: string, write: (tx: Tx, at: Date) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    const at = now();
    if (!(await lockPsychologist(tx, id, at))) throw new AppError("psychologist_not_found");
    if (viewer.id === id) throw new AppError("cannot_review_self");
    await write(tx, at);
    return (await recountReviews(tx, [id]))[0]!;
  });

const reviews = api.reviews.use(requireSignIn("sign_in_to_review")).use(rateLimit("review"));

export const reviewRoutes = reviews.router({
  put: reviews.put.handler(({ context: { request, viewer }, input: { id, rating, comment = null, show_name } }) =>
    change(request.context, viewer, id, async (tx, at) => {
      const [existing] = await ownReviews(tx, [id], viewer.id);
      // Without a consent the viewer can publish no new review, but can edit an existing one.
      if (viewer.consent_withdrawn && !existing) throw new AppError("consent_withdrawn");
      await upsertReview(tx, { psychologist_id: id, user_id: viewer.id, rating, comment, show_name }, at);
    }),
  ),

  delete: reviews.delete.handler(({ context: { request, viewer }, input: { id } }) =>
    change(request.context, viewer, id, (tx) => deleteReview(tx, id, viewer.id)),
  ),
});
