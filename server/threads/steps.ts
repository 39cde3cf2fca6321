import type { Tx } from "../database/handles.ts";
import {
  deleteAnswer,
  deleteConsultation,
  deleteReply,
  lockAnswers,
  lockPsychologists,
  recountAnswerCounters,
  recountAnswers,
  recountNews,
  recountPsychologist,
  recountVotes,
} from "./store.ts";

/**
 * Removes a consultation with its answers, replies and votes, and recounts the psychologists who answered. Call it with
 * the consultation locked.
 */
export async function removeConsultation(tx: Tx, id: string): Promise<void> {
  const psychologists = await lockAnswers(tx, id);
  await lockPsychologists(tx, psychologists);
  await deleteConsultation(tx, id);
  for (const psychologist of psychologists) await recountPsychologist(tx, psychologist);
}

/**
 * Removes answers with their replies and votes, and recounts their consultations and psychologists. Does not restore
 * free answers. Call it with consultations, answers and psychologists locked.
 */
export async function removeAnswers(
  tx: Tx,
  answers: { id: string; consultation_id: string; psychologist_id: string }[],
): Promise<void> {
  for (const { id } of answers) await deleteAnswer(tx, id);
  for (const id of new Set(answers.map((answer) => answer.consultation_id))) await recountAnswers(tx, id);
  for (const id of new Set(answers.map((answer) => answer.psychologist_id))) await recountPsychologist(tx, id);
}

/** Removes a reply and recounts its answer. Call it with the answer locked. */
export async function removeReply(tx: Tx, { id, response_id }: { id: string; response_id: string }) {
  await deleteReply(tx, id);
  await recountNews(tx, response_id);
}

/**
 * Recounts all counters of a consultation whose rows were restored. Call it with all of them and the psychologists
 * locked.
 */
export async function recountThread(tx: Tx, id: string, psychologists: string[]): Promise<void> {
  await recountAnswerCounters(tx, id);
  await recountVotes(tx, id);
  await recountAnswers(tx, id);
  for (const psychologist of psychologists) await recountPsychologist(tx, psychologist);
}
