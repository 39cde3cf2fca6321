import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { withRowsLocked } from "#test/locks.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, askMany, openThread, postAnswer, readConsultation, retryWhileBusy, totalsOf } from "#test/threads.ts";

const app = setUpTestApp();
let consultation: string;
beforeAll(async () => {
  consultation = await ask(app, await app.person());
});
afterEach(() => app.setNow(null));

const detail = async (id: string, as: TestUser | null = null) => (await readConsultation(app, id, as)).body;

async function allAnswers(id: string): Promise<unknown[]> {
  const { answers, next_answers_cursor } = await detail(id);
  for (let cursor = next_answers_cursor; cursor; ) {
    const { body } = await app.call("GET", `/consultations/${id}/answers?cursor=${cursor}`);
    answers.push(...body.items);
    cursor = body.next_cursor;
  }
  return answers;
}

const responseCount = async (id: string) =>
  (await app.sql<{ n: number }>("select response_count as n from consultations where id = $1", [id]))[0]!.n;

describe("POST /consultations/{id}/answers", () => {
  test("publishes exactly 3 of 50 concurrent answers of a free psychologist to 50 consultations", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const many = await askMany(app, 50);
    const answers = await Promise.all(many.map((id) => retryWhileBusy(() => postAnswer(app, id, psychologist))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(
      answers.filter(({ status, body }) => status === 403 && body.code === "free_answers_limit_reached"),
    ).toHaveLength(47);
    expect(await totalsOf(app, psychologist)).toMatchObject({ used: 3, answers: 3, rows: 3 });
    const [sum] = await app.sql(
      "select sum(response_count)::integer as n from consultations where id = any($1::uuid[])",
      [many],
    );
    expect(sum).toEqual({ n: 3 });
  });

  test.runIf(FULL_RUN)(
    "publishes exactly 3 of 50 concurrent answers of a free psychologist to one consultation",
    async () => {
      const psychologist = await app.person({ type: "psychologist" });
      const [id] = await askMany(app, 1);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => retryWhileBusy(() => postAnswer(app, id!, psychologist))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(await totalsOf(app, psychologist)).toMatchObject({ used: 3, answers: 3, rows: 3 });
      expect(await responseCount(id!)).toBe(3);
    },
  );

  test.each(["active", "none"] as const)(
    "counts both of two overlapping answers of one psychologist (Gold: %s)",
    async (gold) => {
      const psychologist = await app.person({ type: "psychologist", gold });
      if (gold === "none") for (const id of await askMany(app, 2)) await postAnswer(app, id, psychologist);
      const [one, other] = await askMany(app, 2);
      const made = await withRowsLocked(
        app,
        // Locks like an update, which allows inserting rows that refer to the locked one.
        "select from psychologist_profiles where id = $1 for no key update",
        [psychologist.id],
        [() => postAnswer(app, one!, psychologist), () => postAnswer(app, other!, psychologist)],
      );
      expect(made.map(({ status }) => status)).toEqual([201, gold === "active" ? 201 : 403]);
      const expected = gold === "active" ? { answers: 2, rows: 2 } : { answers: 3, rows: 3, used: 3 };
      expect(await totalsOf(app, psychologist)).toMatchObject(expected);
    },
  );

  test.runIf(FULL_RUN)("counts the concurrent answers of 40 psychologists to one consultation", async () => {
    const psychologists = await Promise.all(Array.from({ length: 40 }, () => app.person({ type: "psychologist" })));
    const [id] = await askMany(app, 1);
    const answers = await Promise.all(
      psychologists.map((psychologist) => retryWhileBusy(() => postAnswer(app, id!, psychologist))),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await responseCount(id!)).toBe(40);
    expect(await allAnswers(id!)).toHaveLength(40);
  });

  test("starts to count free answers when Gold ends", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    const ids = await askMany(app, 5);
    expect((await postAnswer(app, ids[0]!, psychologist)).status).toBe(201);
    app.setNow(new Date(Date.now() + 2 * DAY));
    const statuses = [];
    for (const id of ids.slice(1)) statuses.push((await postAnswer(app, id, psychologist)).status);
    expect(statuses).toEqual([201, 201, 201, 403]);
    expect(await totalsOf(app, psychologist)).toMatchObject({ used: 3, answers: 4 });
  });

  test("accepts the 4th answer 1 ms before Gold ends but not at its end", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const end = new Date("2026-06-01T12:00:00.000Z");
    await app.sql("update psychologist_profiles set gold_until = $2, free_responses_used = 3 where id = $1", [
      psychologist.id,
      end,
    ]);
    await app.sql("update sessions set seen_at = $2, expires_at = $3 where account_id = $1", [
      psychologist.id,
      end,
      new Date(end.getTime() + DAY),
    ]);
    app.setNow(new Date(end.getTime() - 1));
    expect((await postAnswer(app, consultation, psychologist)).status).toBe(201);
    app.setNow(end);
    expect((await postAnswer(app, consultation, psychologist)).body).toEqual({ code: "free_answers_limit_reached" });
    // Lifetime plan.
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [psychologist.id]);
    expect((await postAnswer(app, consultation, psychologist)).status).toBe(201);
  });

  test("responds 422 to an empty or too long answer without using up a free answer", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    for (const content of ["", "   \n ", "a", "\u3164\u2800\u3164", "x".repeat(5001)]) {
      const refused = await postAnswer(app, consultation, psychologist, content);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.body.fields)).toEqual(["content"]);
    }
    expect(await totalsOf(app, psychologist)).toMatchObject({ used: 0 });
  });

  test("shows the psychologist of an answer with only the fields of the contract", async () => {
    const { consultation: id, psychologist } = await openThread(app);
    const [shown] = (await detail(id)).answers;
    expect(shown.psychologist).toEqual({
      id: psychologist.id,
      full_name: psychologist.full_name,
      avatar_url: null,
      specialty: "Psicología Clínica",
      is_verified: true,
      has_gold: false,
      rating: null,
      total_reviews: 0,
      total_responses: 1,
    });
    expect(JSON.stringify(shown)).not.toContain(psychologist.email);
  });
});

describe("psychologist's page and panel", () => {
  test("show the newest 10 answers with their consultations", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active", country: "Chile" });
    const ids = await askMany(app, 12);
    const start = Date.now();
    for (const [i, id] of ids.entries()) {
      app.setNow(new Date(start + i * 1000));
      await postAnswer(app, id, psychologist, `Respuesta ${i}`);
    }
    app.setNow(null);
    const { body } = await app.call("GET", `/psychologists/${psychologist.id}`);
    expect(body.answers.map((one: { content: string }) => one.content)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Respuesta ${11 - i}`),
    );
    expect(body.answers[0].consultation).toEqual({ id: ids[11], title: "Una pregunta de prueba" });
    expect(body.total_responses).toBe(12);
    expect(JSON.stringify(body)).not.toContain(psychologist.email);
  });

  test("count unanswered consultations of the psychologist's country, or of all countries without one", async () => {
    const [chile, nowhere] = await Promise.all([
      app.person({ type: "psychologist", country: "Ecuador" }),
      app.person({ type: "psychologist" }),
    ]);
    await ask(app, await app.person(), { country: "Ecuador" });
    const panel = async (as: TestUser) => (await app.call("GET", "/psychologists/me/panel", undefined, as)).body;
    const [all] = await app.sql<{ n: number }>(
      "select count(*)::integer as n from consultations where response_count = 0",
    );
    expect(await panel(chile)).toMatchObject({
      unanswered_in_country: 1,
      country: "Ecuador",
      state: "free",
      free_responses_used: 0,
      max_free_responses: 3,
      free_answers_left: 3,
    });
    expect(await panel(nowhere)).toMatchObject({ unanswered_in_country: all!.n, country: null });
  });

  test("say on Mi Perfil whether the psychologist can answer", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const profile = async () => (await app.page("/perfil", psychologist)).text;
    expect(await profile()).toContain("Puedes responder consultas.");
    await app.sql("update psychologist_profiles set free_responses_used = 3 where id = $1", [psychologist.id]);
    expect(await profile()).toContain("Ya usaste tus 3 respuestas gratuitas");
    expect(await profile()).not.toContain("Puedes responder consultas.");
  });

  test("say without JavaScript that an answer was the last free one", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    await app.sql("update psychologist_profiles set free_responses_used = 1 where id = $1", [psychologist.id]);
    const notices = [];
    for (const content of ["La segunda.", "La tercera."]) {
      const id = await ask(app, await app.person());
      const sent = await app.form(`/consulta/${id}/respuesta`, { content }, psychologist);
      notices.push(sent.headers.get("set-cookie"));
    }
    expect(notices).toEqual([
      expect.stringContaining("notice=answer_sent"),
      expect.stringContaining("notice=last_free_answer_sent"),
    ]);
  });

  test("respond 404 for a user who is not a psychologist", async () => {
    const user = await app.person();
    expect((await app.call("GET", `/psychologists/${user.id}`)).body).toEqual({ code: "psychologist_not_found" });
    expect((await app.call("GET", "/psychologists/me/panel", undefined, user)).status).toBe(404);
    expect((await app.call("GET", "/psychologists/me/panel")).body).toEqual({ code: "sign_in_required" });
    expect((await app.call("GET", `/psychologists/${randomUUID()}`)).status).toBe(404);
    expect((await app.call("GET", "/psychologists/abc")).status).toBe(404);
  });
});
