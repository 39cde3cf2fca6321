import type { z } from "zod";
import type { TemplateInput } from "#shared/answers.ts";
import { AppError, assertAllowed, retryDetails } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Vote } from "#shared/votes.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { once, type Press } from "../limits/presses.ts";
import { queuePushes } from "../notifications/queues.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { removeAnswers, removeReply } from "../threads/steps.ts";
import {
  answeringPsychologist,
  deleteOwnText,
  lockAnswer,
  lockConsultation,
  lockPsychologist,
  missing,
  recountNews,
  recountPsychologists,
  upsertVote,
} from "../threads/store.ts";
import {
  answeringState,
  nextReplyAllowedAt,
  REPLY_WINDOW_MS,
  titleOfTemplate,
  usesFreeAnswer,
  whyCannotAnswer,
  whyCannotChangeAnswer,
  whyCannotChangeReply,
  whyCannotReply,
  whyCannotVoteOnAnswer,
} from "./rules.ts";
import { queueAnswerMail } from "./steps.ts";
import {
  answerToChange,
  insertAnswer,
  insertReply,
  replyTimes,
  replyToChange,
  setThanks,
  updateAnswer,
  updateReply,
} from "./store.ts";
import { putTemplate, templatesOf } from "./template-store.ts";

/**
 * Publishes an answer. The same transaction counts the free answer and queues the author's mail. A repetition of the
 * press returns the first id. Returns also what the psychologist may still answer.
 * @throws AppError consultation_not_found, gone, psychologist_required, consent_withdrawn, account_not_verified,
 *   free_answers_limit_reached
 */
export async function createAnswer(
  context: Context,
  viewer: Viewer,
  consultationId: string,
  content: string,
  press: Press,
): Promise<{ id: string; answering: ReturnType<typeof answeringState> }> {
  const { id } = await once(context.db, press, async (tx) => {
    if (!(await lockConsultation(tx, consultationId)))
      throw await missing(tx, consultationId, "consultation_not_found");
    // After waiting for the lock: an author who looks meanwhile has not seen this answer.
    const now = context.now();
    const psychologist = await lockPsychologist(tx, viewer.id, now);
    if (!psychologist) throw new AppError("psychologist_required");
    assertAllowed(
      whyCannotAnswer({
        ...psychologist,
        user_type: viewer.user_type,
        consent_withdrawn: viewer.consent_withdrawn,
      }),
    );
    const row = { consultation_id: consultationId, psychologist_id: viewer.id, content, created_at: now };
    const made = await insertAnswer(tx, row, usesFreeAnswer(psychologist));
    await queueAnswerMail(context.boss, tx, consultationId, context.config.demo);
    await queuePushes(context.boss, tx, made.id, context.config.demo);
    return made;
  });
  // Read after publishing, because a repetition of the press publishes nothing.
  const psychologist = await answeringPsychologist(context.db, viewer.id, context.now());
  if (!psychologist) throw new AppError("psychologist_required");
  return { id, answering: answeringState(psychologist) };
}

/**
 * Sets a vote on an answer.
 * @throws AppError answer_not_found, gone, cannot_vote_own_answer
 */
export async function voteOnAnswer(
  context: Context,
  viewer: Viewer,
  id: string,
  vote: Vote,
): Promise<{ upvotes: number; downvotes: number }> {
  return context.db.transaction().execute(async (tx) => {
    const locked = await lockAnswer(tx, id);
    if (!locked) throw await missing(tx, id, "answer_not_found");
    assertAllowed(whyCannotVoteOnAnswer(viewer, locked));
    const counted = await upsertVote(tx, "consultation_responses", id, viewer.id, vote);
    await lockPsychologist(tx, locked.psychologist_id, context.now());
    await recountPsychologists(tx, [locked.psychologist_id]);
    return counted;
  });
}

/**
 * Sets or takes back private thanks for an answer.
 * @throws AppError answer_not_found, gone, cannot_vote_own_answer
 */
export async function thankForAnswer(context: Context, viewer: Viewer, id: string, on: boolean): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const locked = await lockAnswer(tx, id);
    if (!locked) throw await missing(tx, id, "answer_not_found");
    assertAllowed(whyCannotVoteOnAnswer(viewer, locked));
    await setThanks(tx, id, viewer.id, on);
    await recountNews(tx, id);
  });
}

/**
 * Publishes a reply to an answer. A repetition of the press returns the first id.
 *
 * Locks the answer, so that concurrent replies to it cannot exceed the daily limit.
 * @throws AppError answer_not_found, gone, psychologists_cannot_reply, consent_withdrawn
 * @throws AppError reply_limit_reached with the time of the next reply
 */
export async function createReply(
  context: Context,
  viewer: Viewer,
  answerId: string,
  content: string,
  press: Press,
): Promise<{ id: string }> {
  return once(context.db, press, async (tx) => {
    assertAllowed(whyCannotReply(viewer));
    if (!(await lockAnswer(tx, answerId))) throw await missing(tx, answerId, "answer_not_found");
    const now = context.now();
    const since = new Date(now.getTime() - REPLY_WINDOW_MS);
    const until = nextReplyAllowedAt(await replyTimes(tx, answerId, viewer.id, since), now);
    if (until) throw new AppError("reply_limit_reached", { details: retryDetails(until, now) });
    const made = await insertReply(tx, { response_id: answerId, user_id: viewer.id, content, created_at: now });
    await recountNews(tx, answerId);
    await queuePushes(context.boss, tx, answerId, context.config.demo);
    return made;
  });
}

/**
 * Locks the user's own answer and its consultation.
 * @throws AppError answer_not_found, gone
 */
async function lockOwnAnswer(tx: Tx, viewer: Viewer, id: string) {
  const found = await answerToChange(tx, id);
  if (!found) throw await missing(tx, id, "answer_not_found");
  assertAllowed(whyCannotChangeAnswer(viewer, found));
  await lockConsultation(tx, found.consultation_id);
  if (!(await lockAnswer(tx, id))) throw await missing(tx, id, "answer_not_found");
  // Read again: it may have been edited before the lock.
  return (await answerToChange(tx, id))!;
}

/** The consultation of a changed text. */
type Changed = Promise<{ consultation_id: string }>;

/**
 * Edits the user's own answer.
 * @throws AppError answer_not_found also for another user's answer
 * @throws AppError gone
 */
export async function editAnswer(context: Context, viewer: Viewer, id: string, content: string): Changed {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockOwnAnswer(tx, viewer, id);
    if (before.content !== content) await updateAnswer(tx, id, content, now);
    return before;
  });
}

/**
 * Deletes the user's own answer with its replies and votes. Does not restore a free answer.
 * @throws AppError answer_not_found also for another user's answer
 * @throws AppError gone
 */
export async function deleteOwnAnswer(context: Context, viewer: Viewer, id: string): Changed {
  return deleteOwnText(context.db, id, viewer.id, async (tx) => {
    const answer = await lockOwnAnswer(tx, viewer, id);
    await lockPsychologist(tx, answer.psychologist_id, context.now());
    await removeAnswers(tx, [answer]);
    return answer;
  });
}

/**
 * Locks the answer of the user's own reply. Every change of a reply takes this lock.
 * @throws AppError reply_not_found, gone
 */
async function lockOwnReply(tx: Tx, viewer: Viewer, id: string) {
  const found = await replyToChange(tx, id);
  if (!found) throw await missing(tx, id, "reply_not_found");
  assertAllowed(whyCannotChangeReply(viewer, found));
  await lockAnswer(tx, found.response_id);
  // Read again: it may have been edited or deleted before the lock.
  const locked = await replyToChange(tx, id);
  if (!locked) throw await missing(tx, id, "reply_not_found");
  return locked;
}

/**
 * Edits the user's own reply.
 * @throws AppError reply_not_found also for another user's reply
 * @throws AppError gone
 */
export async function editReply(context: Context, viewer: Viewer, id: string, content: string): Changed {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockOwnReply(tx, viewer, id);
    if (before.content !== content) await updateReply(tx, id, content, now);
    return before;
  });
}

/**
 * Deletes the user's own reply.
 * @throws AppError reply_not_found also for another user's reply
 * @throws AppError gone
 */
export async function deleteOwnReply(context: Context, viewer: Viewer, id: string) {
  return deleteOwnText(context.db, id, viewer.id, async (tx) => {
    const reply = await lockOwnReply(tx, viewer, id);
    await removeReply(tx, reply);
    return reply;
  });
}

/**
 * Stores a psychologist's text, or changes the one with the given id. Stores the same text once.
 *
 * A text that was deleted while it was edited is stored again.
 * @throws AppError psychologist_required, template_limit_reached
 */
export const saveTemplate = (context: Context, viewer: Viewer, input: z.infer<typeof TemplateInput>) =>
  context.db.transaction().execute(async (tx) => {
    if (!(await lockPsychologist(tx, viewer.id, context.now()))) throw new AppError("psychologist_required");
    const stored = await templatesOf(tx, viewer.id);
    const { id, content } = input;
    const same = stored.find((one) => (id ? one.id === id : one.content === content));
    if (!same && stored.length >= LIMITS.templates) throw new AppError("template_limit_reached");
    const title = input.title ?? same?.title ?? titleOfTemplate(content);
    return putTemplate(tx, { ...(same && { id: same.id }), psychologist_id: viewer.id, title, content });
  });
