import type { Tx } from "../database/handles.ts";
import {
  deleteAnswers,
  deleteConsultations,
  deleteReply,
  lockAnswers,
  lockPsychologists,
  recountAnswers,
  recountNews,
  recountPsychologists,
} from "./store.ts";

/**
 * Removes consultations with their answers, replies and votes, and recounts the psychologists who answered. Call it with
 * the consultations locked.
 */
export async function removeConsultations(tx: Tx, ids: string[]): Promise<void> {
  const psychologists = await lockAnswers(tx, ids);
  await lockPsychologists(tx, psychologists);
  await deleteConsultations(tx, ids);
  await recountPsychologists(tx, psychologists);
}

/**
 * Removes answers with their replies and votes, and recounts their consultations and psychologists. Does not restore
 * free answers. Call it with consultations, answers and psychologists locked.
 */
export async function removeAnswers(
  tx: Tx,
  answers: { id: string; consultation_id: string; psychologist_id: string }[],
): Promise<void> {
  const all = (field: "id" | "consultation_id" | "psychologist_id") => answers.map((answer) => answer[field]);
  await deleteAnswers(tx, all("id"));
  await recountAnswers(tx, all("consultation_id"));
  await recountPsychologists(tx, all("psychologist_id"));
}

/** Removes a reply and recounts its answer. Call it with the answer locked. */
export async function removeReply(tx: Tx, { id, response_id }: { id: string; response_id: string }) {
  await deleteReply(tx, id);
  await recountNews(tx, response_id);
}
