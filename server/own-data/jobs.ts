import { replyToChange } from "../answers/store.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { type Job, workAt } from "../jobs.ts";
import { deleteReviewById, recountReviews, reviewedPsychologist } from "../reviews/store.ts";
import { removeConsultation, removeReply } from "../threads/steps.ts";
import { lockAnswer, lockConsultation, lockPsychologist } from "../threads/store.ts";
import { type AnonymisedText, deletionDue, dueAnonymisedTexts, rewriteAnonymisedText } from "./anonymising-store.ts";
import { ANONYMISED_TEXTS } from "./queues.ts";
import { FAREWELL_LIFETIME } from "./rules.ts";
import { deleteFarewellsBefore } from "./store.ts";

/**
 * Deletes or rewrites the anonymised texts that are due, each in its own transaction. A deleted text gets its own due time
 * as the time of its deletion, not that of this run, which others share.
 */
export async function sweepAnonymisedTexts(context: Context): Promise<void> {
  const { db, log, now } = context;
  let failed: unknown;
  for (const text of await dueAnonymisedTexts(db, now()))
    try {
      await deleteAnonymisedText(context, text);
      await rewriteAnonymisedText(db, text, now());
    } catch (error) {
      // The next run retries it; the others do not wait for it.
      failed = error;
      log.warn({ event: "anonymised_text_left", kind: text.kind });
    }
  if (failed) throw failed;
}

/** How a kind of text is deleted when it is due, with locks in the order of every command; the text's own is the last. */
const DELETIONS: Record<AnonymisedText["kind"], (tx: Tx, text: AnonymisedText, now: () => Date) => Promise<void>> = {
  async consultation(tx, text, now) {
    await lockConsultation(tx, text.id);
    const at = await deletionDue(tx, text, now());
    if (at) await removeConsultation(tx, text.id, at);
  },
  async reply(tx, text, now) {
    const found = await replyToChange(tx, text.id);
    if (!found) return;
    await lockAnswer(tx, found.response_id);
    const at = await deletionDue(tx, text, now());
    if (at) await removeReply(tx, found, at);
  },
  async review(tx, text, now) {
    const found = await reviewedPsychologist(tx, text.id);
    if (!found || !(await lockPsychologist(tx, found.psychologist_id, now()))) return;
    if (!(await deletionDue(tx, text, now()))) return;
    await deleteReviewById(tx, text.id);
    await recountReviews(tx, found.psychologist_id);
  },
};

/** Deletes an anonymised text that is due. One that has an author, is kept, or is gone, is left as it is. */
const deleteAnonymisedText = ({ db, now }: Context, text: AnonymisedText): Promise<void> =>
  db.transaction().execute((tx) => DELETIONS[text.kind](tx, text, now));

export const ownDataJobs: Job[] = [
  // Every minute: two texts with random times are hardly ever deleted in the same run.
  workAt("* * * * *", ANONYMISED_TEXTS, { pollingIntervalSeconds: 30 }, sweepAnonymisedTexts),
];

/** Deletes addresses of deleted accounts whose last mail the queue no longer retries. */
export async function deleteExpiredFarewells({ db, now }: Context): Promise<void> {
  await deleteFarewellsBefore(db, new Date(now().getTime() - FAREWELL_LIFETIME));
}
