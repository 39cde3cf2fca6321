import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { whileLocked } from "#test/locks.ts";

let app: TestApp;
let consultation: string;
beforeAll(async () => {
  app = await openTestApp();
  consultation = await ask(app, await app.person());
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

/** How many vote at the same moment, a third of them against. */
const CROWD = FULL_RUN ? 300 : 90;
const third = CROWD / 3;

const answer = (id: string, as: Person | null, content = "Una respuesta de prueba") =>
  app.call("POST", `/consultations/${id}/answers`, { content }, as);
const reply = (id: string, as: Person | null, content = "Una réplica de prueba") =>
  app.call("POST", `/answers/${id}/replies`, { content }, as);
const vote = (id: string, as: Person | null, value: string) =>
  app.call("PUT", `/answers/${id}/vote`, { vote: value }, as);
const detail = async (id: string, as: Person | null = null) =>
  (await app.call("GET", `/consultations/${id}`, undefined, as)).body;

/** Every answer of a consultation, page by page. */
async function allAnswers(id: string): Promise<unknown[]> {
  const { answers, next_answers_cursor } = await detail(id);
  for (let cursor = next_answers_cursor; cursor; ) {
    const { body } = await app.call("GET", `/consultations/${id}/answers?cursor=${cursor}`);
    answers.push(...body.items);
    cursor = body.next_cursor;
  }
  return answers;
}

/** Asks again while the server says that it is overloaded: on a busy machine a crowd may be told so, and writes nothing. */
async function insist<Got extends { status: number }>(ask: () => Promise<Got>): Promise<Got> {
  for (let tries = 0; ; tries++) {
    const got = await ask();
    if (got.status !== 503 || tries === 10) return got;
  }
}

/** Consultations of as many people. */
const consultations = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => ask(app, await app.person())));

/** An answer to a new consultation, and who wrote both. */
async function answered() {
  const author = await app.person();
  const psychologist = await app.person({ type: "psychologist" });
  const of = await ask(app, author);
  const made = await answer(of, psychologist);
  expect(made.status).toBe(201);
  return { consultation: of, id: made.body.id as string, author, psychologist };
}

async function numbersOf(psychologist: Person) {
  const [row] = await app.sql<{
    used: number;
    answers: number;
    votes: number;
    rows: number;
    sum: number;
  }>(
    `select free_responses_used as used, total_responses as answers, total_votes as votes,
       (select count(*)::integer from consultation_responses where psychologist_id = p.id) as rows,
       (select count(*) filter (where vote_type = 'up') - count(*) filter (where vote_type = 'down') from response_votes
         join consultation_responses r on r.id = response_id where r.psychologist_id = p.id)::integer as sum
     from psychologist_profiles p where id = $1`,
    [psychologist.id],
  );
  return row!;
}

const responseCount = async (id: string) =>
  (await app.sql<{ n: number }>("select response_count as n from consultations where id = $1", [id]))[0]!.n;

describe("answering", () => {
  test("of 50 answers by one free psychologist at once to as many consultations exactly 3 are published", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const many = await consultations(50);
    const answers = await Promise.all(many.map((id) => insist(() => answer(id, psychologist))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status, body }) => status === 403 && body.code === "free_limit_reached")).toHaveLength(47);
    expect(await numbersOf(psychologist)).toMatchObject({ used: 3, answers: 3, rows: 3 });
    const [sum] = await app.sql(
      "select sum(response_count)::integer as n from consultations where id = any($1::uuid[])",
      [many],
    );
    expect(sum).toEqual({ n: 3 });
  });

  test("of 50 answers by one free psychologist at once to one consultation exactly 3 are published", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const [id] = await consultations(1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => answer(id!, psychologist))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await numbersOf(psychologist)).toMatchObject({ used: 3, answers: 3, rows: 3 });
    expect(await responseCount(id!)).toBe(3);
  });

  test.each(["active", "none"] as const)(
    "two answers of one psychologist, both begun before either ends, are both counted (Gold: %s)",
    async (gold) => {
      const psychologist = await app.person({ type: "psychologist", gold });
      if (gold === "none") for (const id of await consultations(2)) await answer(id, psychologist);
      const [one, other] = await consultations(2);
      const made = await whileLocked(
        app,
        // As an update locks it, which lets a row that refers to it be inserted.
        "select from psychologist_profiles where id = $1 for no key update",
        [psychologist.id],
        [() => answer(one!, psychologist), () => answer(other!, psychologist)],
      );
      expect(made.map(({ status }) => status)).toEqual([201, gold === "active" ? 201 : 403]);
      const expected = gold === "active" ? { answers: 2, rows: 2 } : { answers: 3, rows: 3, used: 3 };
      expect(await numbersOf(psychologist)).toMatchObject(expected);
    },
  );

  test("answers of 40 psychologists at once to one consultation are all counted", async () => {
    const psychologists = await Promise.all(Array.from({ length: 40 }, () => app.person({ type: "psychologist" })));
    const [id] = await consultations(1);
    const answers = await Promise.all(psychologists.map((psychologist) => insist(() => answer(id!, psychologist))));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await responseCount(id!)).toBe(40);
    expect(await allAnswers(id!)).toHaveLength(40);
  });

  test("answers with Gold are not counted against the free ones", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    for (const id of await consultations(5)) expect((await answer(id, psychologist)).status).toBe(201);
    expect(await numbersOf(psychologist)).toMatchObject({ used: 0, answers: 5 });
  });

  test("when Gold ends the free answers begin to count", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    const ids = await consultations(5);
    expect((await answer(ids[0]!, psychologist)).status).toBe(201);
    app.setNow(new Date(Date.now() + 2 * DAY));
    const statuses = [];
    for (const id of ids.slice(1)) statuses.push((await answer(id, psychologist)).status);
    expect(statuses).toEqual([201, 201, 201, 403]);
    expect(await numbersOf(psychologist)).toMatchObject({ used: 3, answers: 4 });
  });

  test("Gold in force at the very moment counts, one millisecond after its end it does not", async () => {
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
    expect((await answer(consultation, psychologist)).status).toBe(201);
    app.setNow(end);
    expect((await answer(consultation, psychologist)).body).toEqual({ code: "free_limit_reached" });
    // For life.
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [psychologist.id]);
    expect((await answer(consultation, psychologist)).status).toBe(201);
  });

  test.each([
    ["a visitor", null, 401, "sign_in_to_answer"],
    ["a user", {}, 403, "only_psychologists_answer"],
    ["an unverified psychologist", { type: "psychologist", verified: false }, 403, "not_verified"],
    [
      "an unverified psychologist with Gold",
      { type: "psychologist", verified: false, gold: "active" },
      403,
      "not_verified",
    ],
  ] as const)("%s is refused, and nothing is written", async (_who, options, status, code) => {
    const id = await ask(app, await app.person());
    const refused = await answer(id, options && (await app.person(options)));
    expect(refused.status).toBe(status);
    expect(refused.body).toEqual({ code });
    expect(await responseCount(id)).toBe(0);
    expect(await app.sql("select id from consultation_responses where consultation_id = $1", [id])).toEqual([]);
  });

  test("a psychologist whose approval is taken back is refused from then on", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    expect((await answer(consultation, psychologist)).status).toBe(201);
    await app.sql("update psychologist_profiles set verified_at = null where id = $1", [psychologist.id]);
    expect((await answer(consultation, psychologist)).body).toEqual({ code: "not_verified" });
  });

  test("an answer to nothing is a 404 and uses up no free answer", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    expect((await answer(randomUUID(), psychologist)).body).toEqual({ code: "consultation_not_found" });
    expect((await answer("abc", psychologist)).status).toBe(404);
    expect(await numbersOf(psychologist)).toMatchObject({ used: 0, answers: 0 });
  });

  test("an answer that says nothing is refused beside its field and uses up no free answer", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    for (const content of ["", "   \n ", "a", "\u3164\u2800\u3164", "x".repeat(5001)]) {
      const refused = await answer(consultation, psychologist, content);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.body.fields)).toEqual(["content"]);
    }
    expect(await numbersOf(psychologist)).toMatchObject({ used: 0 });
  });

  test("an answer shows the psychologist who wrote it, and only the contract's fields", async () => {
    const { consultation: id, psychologist } = await answered();
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

describe("replying", () => {
  test("users reply, as often as they like, to any answer", async () => {
    const { id, author, consultation: of } = await answered();
    for (const person of [author, author, await app.person()]) expect((await reply(id, person)).status).toBe(201);
    expect((await detail(of)).answers[0].replies).toHaveLength(3);
  });

  test.each([
    ["a visitor", null, 401, "sign_in_to_reply"],
    ["a psychologist", { type: "psychologist" }, 403, "psychologists_cannot_reply"],
    ["a pending psychologist", { type: "psychologist", verified: false }, 403, "psychologists_cannot_reply"],
    ["a Gold psychologist", { type: "psychologist", gold: "active" }, 403, "psychologists_cannot_reply"],
  ] as const)("%s is refused", async (_who, options, status, code) => {
    const { id, consultation: of } = await answered();
    const refused = await reply(id, options && (await app.person(options)));
    expect(refused.status).toBe(status);
    expect(refused.body).toEqual({ code });
    expect((await detail(of)).answers[0].replies).toEqual([]);
  });

  test("not even the psychologist who answered replies", async () => {
    const { id, psychologist } = await answered();
    expect((await reply(id, psychologist)).body).toEqual({ code: "psychologists_cannot_reply" });
  });

  test("replies stand oldest first, below their own answer, and say nothing of who wrote them", async () => {
    const first = await answered();
    const second = await answer(first.consultation, await app.person({ type: "psychologist" }));
    const people = await Promise.all([app.person(), app.person(), app.person()]);
    const start = Date.now();
    for (const [i, person] of people.entries()) {
      // Written down in reverse, so that the order is the date's and not the table's.
      app.setNow(new Date(start - i * 1000));
      await reply(first.id, person, `Réplica ${i}`);
    }
    app.setNow(null);
    await reply(second.body.id, first.author, "A la otra respuesta");
    for (const as of [null, first.author, people[0]!, first.psychologist]) {
      const { answers } = await detail(first.consultation, as);
      const of = (id: string) => answers.find((one: { id: string }) => one.id === id).replies;
      expect(of(first.id).map((one: { content: string }) => one.content)).toEqual([
        "Réplica 2",
        "Réplica 1",
        "Réplica 0",
      ]);
      expect(of(second.body.id).map((one: { content: string }) => one.content)).toEqual(["A la otra respuesta"]);
      for (const one of [...of(first.id), ...of(second.body.id)])
        expect(Object.keys(one).sort()).toEqual(["content", "created_at", "edited_at", "id", "viewer"]);
      const text = JSON.stringify(answers);
      for (const person of [...people, first.author]) {
        expect(text).not.toContain(person.id);
        expect(text).not.toContain(person.email);
        expect(text).not.toContain(person.full_name);
      }
    }
  });

  test("a reply to nothing is a 404", async () => {
    const person = await app.person();
    expect((await reply(randomUUID(), person)).body).toEqual({ code: "answer_not_found" });
    expect((await reply("abc", person)).status).toBe(404);
    // A consultation is no answer.
    expect((await reply(consultation, person)).body).toEqual({ code: "answer_not_found" });
  });
});

describe("voting on an answer", () => {
  test("everyone who votes at once is counted, in the answer and in the psychologist's total", async () => {
    const { id, psychologist, consultation: of } = await answered();
    const people = await Promise.all(Array.from({ length: CROWD }, () => app.person()));
    const answers = await Promise.all(people.map((person, i) => insist(() => vote(id, person, i % 3 ? "up" : "down"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await detail(of)).answers[0]).toMatchObject({ upvotes: 2 * third, downvotes: third });
    expect(await numbersOf(psychologist)).toMatchObject({ votes: third, sum: third });
  });

  test("one person voting 50 times at once is one vote", async () => {
    const { id, psychologist } = await answered();
    const person = await app.person();
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => vote(id, person, "up"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await numbersOf(psychologist)).toMatchObject({ votes: 1, sum: 1 });
  });

  test("votes on many answers of one psychologist, while more are published, add up", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    const ids = await consultations(12);
    const first: string[] = [];
    for (const id of ids.slice(0, 6)) first.push((await answer(id, psychologist)).body.id);
    const people = await Promise.all(Array.from({ length: 10 }, () => app.person()));
    const all = await Promise.all([
      ...people.flatMap((person, i) =>
        first.map((id, j) => insist(() => vote(id, person, (i + j) % 4 ? "up" : "down"))),
      ),
      ...ids.slice(6).map((id) => insist(() => answer(id, psychologist))),
    ]);
    expect(all.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const numbers = await numbersOf(psychologist);
    expect(numbers.votes).toBe(numbers.sum);
    expect(numbers).toMatchObject({ answers: 12, rows: 12 });
  });

  type Thread = { consultation: string; author: Person; id: string; psychologist: Person };
  test.each<[string, (thread: Thread) => ReturnType<TestApp["call"]>]>([
    ["a vote on another of their answers", async ({ id }) => vote(id, await app.person(), "up")],
    ["the deletion of another one", ({ id, psychologist }) => app.call("DELETE", `/answers/${id}`, {}, psychologist)],
    [
      "the deletion of a consultation they answered",
      ({ consultation: of, author }) => app.call("DELETE", `/consultations/${of}`, {}, author),
    ],
  ])(
    "a vote and %s, both begun before either ends, are both counted in the psychologist's total",
    async (_what, then) => {
      const { id, psychologist } = await answered();
      const author = await app.person();
      const of = await ask(app, author);
      const other = { consultation: of, author, id: (await answer(of, psychologist)).body.id as string, psychologist };
      await vote(other.id, await app.person(), "up");
      const voter = await app.person();
      const made = await whileLocked(
        app,
        "select from psychologist_profiles where id = $1 for update",
        [psychologist.id],
        [() => vote(id, voter, "up"), () => then(other)],
      );
      for (const { status, text } of made) expect(status, text).toBeLessThan(300);
      const { answers, votes, rows, sum } = await numbersOf(psychologist);
      expect([answers, votes]).toEqual([rows, sum]);
    },
  );

  test("no one votes on their own answer", async () => {
    const { id, psychologist } = await answered();
    for (const value of ["up", "down", "none"]) {
      const refused = await vote(id, psychologist, value);
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ code: "own_answer_vote" });
    }
    expect(await app.sql("select id from response_votes where response_id = $1", [id])).toEqual([]);
  });

  test("other psychologists and the author of the consultation vote", async () => {
    const { id, author } = await answered();
    expect((await vote(id, author, "up")).status).toBe(200);
    expect((await vote(id, await app.person({ type: "psychologist" }), "up")).status).toBe(200);
  });

  test("up, down and none set the vote; saying it twice changes nothing; the total follows", async () => {
    const { id, psychologist, consultation: of } = await answered();
    const person = await app.person();
    for (const [wish, upvotes, downvotes, mine] of [
      ["none", 0, 0, null],
      ["up", 1, 0, "up"],
      ["up", 1, 0, "up"],
      ["down", 0, 1, "down"],
      ["down", 0, 1, "down"],
      ["none", 0, 0, null],
      ["none", 0, 0, null],
    ] as const) {
      expect((await vote(id, person, wish)).body).toEqual({ upvotes, downvotes, vote: mine });
      expect((await detail(of, person)).answers[0].viewer.vote).toBe(mine);
      expect((await detail(of)).answers[0].viewer.vote).toBeNull();
      expect(await numbersOf(psychologist)).toMatchObject({ votes: upvotes - downvotes, sum: upvotes - downvotes });
    }
  });

  test("a visitor is asked to sign in, and a vote on nothing is a 404", async () => {
    const { id } = await answered();
    expect((await vote(id, null, "up")).body).toEqual({ code: "sign_in_to_vote" });
    const person = await app.person();
    expect((await vote(randomUUID(), person, "up")).body).toEqual({ code: "answer_not_found" });
    expect((await vote("abc", person, "up")).status).toBe(404);
  });
});

describe("the psychologist's page and panel", () => {
  test("show the newest ten answers with their consultations", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active", country: "Chile" });
    const ids = await consultations(12);
    const start = Date.now();
    for (const [i, id] of ids.entries()) {
      app.setNow(new Date(start + i * 1000));
      await answer(id, psychologist, `Respuesta ${i}`);
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

  test("count in the panel what is unanswered in the psychologist's country, everywhere without one", async () => {
    const [chile, nowhere] = await Promise.all([
      app.person({ type: "psychologist", country: "Ecuador" }),
      app.person({ type: "psychologist" }),
    ]);
    await ask(app, await app.person(), { country: "Ecuador" });
    const panel = async (as: Person) => (await app.call("GET", "/psychologists/me/panel", undefined, as)).body;
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

  test("are not there for who is no psychologist", async () => {
    const user = await app.person();
    expect((await app.call("GET", `/psychologists/${user.id}`)).body).toEqual({ code: "psychologist_not_found" });
    expect((await app.call("GET", "/psychologists/me/panel", undefined, user)).status).toBe(404);
    expect((await app.call("GET", "/psychologists/me/panel")).body).toEqual({ code: "sign_in_required" });
    expect((await app.call("GET", `/psychologists/${randomUUID()}`)).status).toBe(404);
    expect((await app.call("GET", "/psychologists/abc")).status).toBe(404);
  });
});
