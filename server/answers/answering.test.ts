import { beforeAll, describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { withRowsLocked } from "#test/locks.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, askMany, postAnswer, totalsOf } from "#test/threads.ts";

const app = setUpTestApp();
let consultation: string;
beforeAll(async () => {
  consultation = await ask(app, await app.person());
});

describe("POST /consultations/{id}/answers", () => {
  test("responds with the free answers left after the answer, also to a repeated press", async () => {
    const psychologist = await app.person({ type: "psychologist", used: 1 });
    const responses = [];
    for (const key of ["second", "third"]) {
      const path = `/consultations/${await ask(app, await app.person())}/answers`;
      for (const _ of [1, 2])
        responses.push((await app.call("POST", path, { content: "Te leo.", key }, psychologist)).body.answering);
    }
    const [second, third] = [
      { state: "free", free_answers_left: 1 },
      { state: "limit_reached", free_answers_left: 0 },
    ];
    expect(responses).toEqual([second, second, third, third]);
  });

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

  test("accepts the 4th answer 1 ms before Gold ends but not at its end", async () => {
    const psychologist = await app.person({ type: "psychologist", used: 3 });
    const end = new Date("2026-06-01T12:00:00.000Z");
    await app.sql("update psychologist_profiles set gold_until = $2 where id = $1", [psychologist.id, end]);
    await app.staySignedIn(psychologist);
    app.setNow(new Date(end.getTime() - 1));
    expect((await postAnswer(app, consultation, psychologist)).status).toBe(201);
    expect(await totalsOf(app, psychologist)).toMatchObject({ used: 3, answers: 1 });
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
});

describe("psychologist's page and panel", () => {
  test("count unanswered consultations of the psychologist's country, or of all countries without one", async () => {
    const [chile, nowhere] = await Promise.all([
      app.person({ type: "psychologist", country: "Ecuador" }),
      app.person({ type: "psychologist" }),
    ]);
    await ask(app, await app.person(), { country: "Ecuador" });
    await app.sql(
      "update psychologist_profiles set total_responses = 5, total_votes = -2, rating = 4.5 where id = $1",
      [chile.id],
    );
    const panel = async (as: TestUser) => (await app.call("GET", "/psychologists/me/panel", undefined, as)).body;
    const [all] = await app.sql<{ n: number }>(
      "select count(*)::integer as n from consultations where response_count = 0",
    );
    expect(await panel(chile)).toMatchObject({
      unanswered_in_country: 1,
      country: "Ecuador",
      answers: 5,
      votes: -2,
      rating: 4.5,
      state: "free",
      free_responses_used: 0,
      max_free_responses: 3,
      free_answers_left: 3,
    });
    expect(await panel(nowhere)).toMatchObject({ unanswered_in_country: all!.n, country: null });
  });

  test("say without JavaScript that an answer was the last free one", async () => {
    const psychologist = await app.person({ type: "psychologist", used: 1 });
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
  });
});
