/**
 * Consultations, answers, replies and votes, written through the API.
 *
 * Functions named `post`, `put` or `read` return any response. The others require success and return an id.
 */

import type { Answer, TestApp, TestUser } from "./app.ts";
import { WAIT_TIMEOUT_MS } from "./eventually.ts";

export const consultationBody = (more: Record<string, unknown> = {}) => ({
  title: "Una pregunta de prueba",
  content: "Un texto de prueba con más de veinte caracteres.",
  country: "Uruguay",
  is_anonymous: true,
  ...more,
});

function idOf(response: Answer<{ id: string }>): string {
  if (response.status !== 201) throw new Error(`not published: ${response.status} ${response.text}`);
  return response.body.id;
}

export const postConsultation = (app: TestApp, as: TestUser | null, more: Record<string, unknown> = {}) =>
  app.call("POST", "/consultations", consultationBody(more), as);
export const ask = async (app: TestApp, as: TestUser, more: Record<string, unknown> = {}) =>
  idOf(await postConsultation(app, as, more));

/** Publishes a consultation by a new account. */
export async function askAnew(app: TestApp, more: Record<string, unknown> = {}) {
  const author = await app.person();
  return { author, id: await ask(app, author, more) };
}

export const askMany = (app: TestApp, count: number) =>
  Promise.all(Array.from({ length: count }, async () => ask(app, await app.person())));

export const postAnswer = (
  app: TestApp,
  consultation: string,
  as: TestUser | null,
  content = "Una respuesta de prueba",
) => app.call("POST", `/consultations/${consultation}/answers`, { content }, as);
export const publishAnswer = async (app: TestApp, consultation: string, as: TestUser, content?: string) =>
  idOf(await postAnswer(app, consultation, as, content));

export const postReply = (app: TestApp, answer: string, as: TestUser | null, content = "Una réplica de prueba") =>
  app.call("POST", `/answers/${answer}/replies`, { content }, as);
export const publishReply = async (app: TestApp, answer: string, as: TestUser, content?: string) =>
  idOf(await postReply(app, answer, as, content));

export const putVote = (
  app: TestApp,
  kind: "consultations" | "answers",
  id: string,
  as: TestUser | null,
  vote = "up",
) => app.call("PUT", `/${kind}/${id}/vote`, { vote }, as);

export const readConsultation = (app: TestApp, id: string, as: TestUser | null = null, sort = "") =>
  app.call("GET", `/consultations/${id}${sort && `?sort=${sort}`}`, undefined, as);

export const resetWeeklyLimit = (app: TestApp, person: TestUser) =>
  app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);

/** Publishes a consultation with an answer, each by a new account. */
export async function openThread(app: TestApp) {
  const author = await app.person();
  const psychologist = await app.person({ type: "psychologist" });
  const consultation = await ask(app, author);
  return { author, psychologist, consultation, answer: await publishAnswer(app, consultation, psychologist) };
}

/** Repeats a request while the server responds 503, which can happen to concurrent requests on a busy machine. */
export async function retryWhileBusy<Got extends { status: number }>(send: () => Promise<Got>): Promise<Got> {
  for (const until = Date.now() + 3 * WAIT_TIMEOUT_MS; ; ) {
    const got = await send();
    if (got.status !== 503 || Date.now() > until) return got;
  }
}

/** Returns a psychologist's stored totals, and the sums of their rows. Used free answers have no rows. */
export async function totalsOf(app: TestApp, psychologist: TestUser) {
  const [row] = await app.sql<{ used: number; answers: number; votes: number; rows: number; sum: number }>(
    `select free_responses_used as used, total_responses as answers, total_votes as votes,
       (select count(*)::integer from consultation_responses where psychologist_id = p.id) as rows,
       (select count(*) filter (where vote_type = 'up') - count(*) filter (where vote_type = 'down') from response_votes
         join consultation_responses r on r.id = response_id where r.psychologist_id = p.id)::integer as sum
     from psychologist_profiles p where id = $1`,
    [psychologist.id],
  );
  return row!;
}
