import { deleteReply, lockAnswer, lockPsychologist, recountReplies, replyToChange } from "../answers/store.ts";
import { deleteConsultation, lockConsultation } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { recountReviews } from "../reviews/store.ts";
import { deleteReviewById, dueLooseTexts, goesAt, type LooseText, reviewedBy, settleLoose } from "./store.ts";

/**
 * Deletes or writes anew the nameless texts of people who have left whose moment has come, each in a transaction of its own.
 * A text that is deleted has its own moment as the time of its deletion, not that of this visit, which others share.
 */
export async function sweepLoose(context: Context): Promise<void> {
  const { db, log, now } = context;
  let failed: unknown;
  for (const text of await dueLooseTexts(db, now()))
    try {
      await removeLoose(context, text);
      await settleLoose(db, text, now());
    } catch (error) {
      // The next visit finds it again; the others do not wait for it.
      failed = error;
      log.warn({ event: "loose_text_left", kind: text.kind });
    }
  if (failed) throw failed;
}

/** Deletes a loose text that goes now. Whatever has an author, stays, or is gone, is left as it is. */
async function removeLoose({ db, now }: Context, text: LooseText): Promise<void> {
  const { kind, id } = text;
  await db.transaction().execute(async (tx) => {
    // Locks come in the order in which every command takes them; the text's own is the last.
    if (kind === "consultation") {
      await lockConsultation(tx, id);
      const at = await goesAt(tx, text, now());
      if (at) await deleteConsultation(tx, id, at);
    } else if (kind === "reply") {
      const found = await replyToChange(tx, id);
      if (!found) return;
      await lockAnswer(tx, found.response_id);
      const at = await goesAt(tx, text, now());
      if (!at) return;
      await deleteReply(tx, id, at);
      await recountReplies(tx, found.response_id);
    } else {
      const found = await reviewedBy(tx, id);
      if (!found || !(await lockPsychologist(tx, found.psychologist_id, now()))) return;
      if (!(await goesAt(tx, text, now()))) return;
      await deleteReviewById(tx, id);
      await recountReviews(tx, found.psychologist_id);
    }
  });
}
