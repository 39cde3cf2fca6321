import { AppError } from "#shared/errors.ts";
import type { Vote } from "#shared/lists.ts";
import type { Viewer } from "../accounts/rules.ts";
import { lockConsultation, recountResponses } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { usesFreeAnswer, whyCannotAnswer, whyCannotReply, whyCannotVoteOnAnswer } from "./rules.ts";
import {
  countFreeAnswer,
  insertAnswer,
  insertReply,
  lockAnswer,
  lockPsychologist,
  putAnswerVote,
  recountAnswerVotes,
  recountPsychologist,
} from "./store.ts";

// Locks are always taken in this order: consultation, answer, psychologist. Two commands never wait for each other.

/**
 * Publishes an answer; the free ones are checked and counted in the same transaction.
 * @throws AppError consultation_not_found, only_psychologists_answer, not_verified, free_limit_reached
 */
export async function answer(
  context: Context,
  viewer: Viewer,
  consultationId: string,
  content: string,
): Promise<{ id: string }> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    if (!(await lockConsultation(tx, consultationId))) throw new AppError("consultation_not_found");
    const psychologist = await lockPsychologist(tx, viewer.id, now);
    if (!psychologist) throw new AppError("only_psychologists_answer");
    const refusal = whyCannotAnswer({
      ...psychologist,
      is_verified: psychologist.is_verified,
      user_type: viewer.user_type,
    });
    if (refusal) throw new AppError(refusal);
    const made = await insertAnswer(tx, {
      consultation_id: consultationId,
      psychologist_id: viewer.id,
      content,
      created_at: now,
    });
    if (usesFreeAnswer(psychologist)) await countFreeAnswer(tx, viewer.id);
    await recountResponses(tx, consultationId);
    await recountPsychologist(tx, viewer.id);
    return made;
  });
}

/** Sets a vote on an answer. @throws AppError answer_not_found, own_answer_vote */
export async function voteOnAnswer(
  context: Context,
  viewer: Viewer,
  id: string,
  vote: Vote,
): Promise<{ upvotes: number; downvotes: number }> {
  return context.db.transaction().execute(async (tx) => {
    const locked = await lockAnswer(tx, id);
    if (!locked) throw new AppError("answer_not_found");
    const refusal = whyCannotVoteOnAnswer(viewer, locked);
    if (refusal) throw new AppError(refusal);
    await putAnswerVote(tx, id, viewer.id, vote);
    const counted = await recountAnswerVotes(tx, id);
    await lockPsychologist(tx, locked.psychologist_id, context.now());
    await recountPsychologist(tx, locked.psychologist_id);
    return counted;
  });
}

/** Publishes a reply to an answer. @throws AppError answer_not_found, psychologists_cannot_reply */
export async function reply(
  context: Context,
  viewer: Viewer,
  answerId: string,
  content: string,
): Promise<{ id: string }> {
  const refusal = whyCannotReply(viewer);
  if (refusal) throw new AppError(refusal);
  return context.db.transaction().execute(async (tx) => {
    if (!(await lockAnswer(tx, answerId))) throw new AppError("answer_not_found");
    return insertReply(tx, { response_id: answerId, user_id: viewer.id, content, created_at: context.now() });
  });
}
