import { deleteReply, lockAnswer, lockPsychologist, lockReply, replyToChange } from "../answers/store.ts";
import { deleteConsultation, lockWholeConsultation } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import type { NamelessJob } from "../jobs.ts";
import { recountReviews } from "../reviews/store.ts";
import { deleteReviewById, untiedReview } from "./store.ts";

/** Deletes one nameless text of somebody who left. Whatever has an author, or is gone, stays as it is. */
export async function removeNameless({ db, now }: Context, { kind, id }: NamelessJob): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (kind === "consultation") {
      const found = await lockWholeConsultation(tx, id);
      if (found && found.user_id === null) await deleteConsultation(tx, id, now());
    } else if (kind === "reply") {
      const found = await replyToChange(tx, id);
      if (!found) return;
      await lockAnswer(tx, found.response_id);
      const locked = await lockReply(tx, id);
      if (locked && locked.user_id === null) await deleteReply(tx, id, now());
    } else {
      const found = await untiedReview(tx, id);
      if (!found || !(await lockPsychologist(tx, found.psychologist_id, now()))) return;
      await deleteReviewById(tx, id);
      await recountReviews(tx, found.psychologist_id);
    }
  });
}
