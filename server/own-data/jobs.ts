import { TEXTS_TO_CHANGE } from "../answers/store.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { type Job, workAt } from "../jobs.ts";
import { deleteReviewsById, recountReviews, reviewedPsychologist } from "../reviews/store.ts";
import { lockAnswer, lockConsultation, lockPsychologist, removeConsultations, removeReply } from "../threads/store.ts";
import { ANONYMISED_TEXTS } from "./queues.ts";
import { type AnonymisedText, dueAnonymisedTexts, isDeletionDue, rewriteAnonymisedText } from "./store.ts";

/** Deletes or rewrites due anonymised texts, each in its own transaction. */
export async function sweepAnonymisedTexts({ db, log, now }: Context): Promise<void> {
  let failed: unknown;
  for (const text of await dueAnonymisedTexts(db, now()))
    try {
      await db.transaction().execute((tx) => DELETIONS[text.kind](tx, text, now));
      await rewriteAnonymisedText(db, text, now());
    } catch (error) {
      // The next run retries it; the others do not wait for it.
      failed = error;
      log.warn({ event: "anonymised_text_left", kind: text.kind });
    }
  if (failed) throw failed;
}

/**
 * Deletion of a due text per kind. Ignores one that has an author, stays, or was deleted. Takes locks in the order of
 * every command; the text's own lock is the last.
 */
const DELETIONS: Record<AnonymisedText["kind"], (tx: Tx, text: AnonymisedText, now: () => Date) => Promise<void>> = {
  async consultation(tx, text, now) {
    await lockConsultation(tx, text.id);
    if (await isDeletionDue(tx, text, now())) await removeConsultations(tx, [text.id]);
  },
  async reply(tx, text, now) {
    const found = await TEXTS_TO_CHANGE.reply(tx, text.id);
    if (!found) return;
    await lockAnswer(tx, found.answer_id);
    if (await isDeletionDue(tx, text, now())) await removeReply(tx, found);
  },
  async review(tx, text, now) {
    const found = await reviewedPsychologist(tx, text.id);
    if (!found || !(await lockPsychologist(tx, found.psychologist_id, now()))) return;
    if (!(await isDeletionDue(tx, text, now()))) return;
    await deleteReviewsById(tx, [text.id]);
    await recountReviews(tx, [found.psychologist_id]);
  },
};

export const ownDataJobs: Job[] = [
  // Every minute, so that two texts with random times are rarely deleted in the same run.
  workAt("* * * * *", ANONYMISED_TEXTS, { pollingIntervalSeconds: 30 }, sweepAnonymisedTexts),
];
