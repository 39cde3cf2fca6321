import { expect, test } from "vitest";
import type { TestApp, TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, openThread, postReply, publishAnswer, putVote, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();

const detail = async (id: string, as: TestUser | null = null) => (await readConsultation(app, id, as)).body;

test("POST /answers/{id}/replies returns replies below their answer without any author, alike to all other users", async () => {
  const first = await openThread(app);
  const second = await publishAnswer(app, first.consultation, await app.person({ type: "psychologist" }));
  const people = [await app.person(), await app.person()];
  for (const person of people) await postReply(app, first.answer, person);
  await postReply(app, second, first.author, "A la otra respuesta");
  const views = [];
  for (const as of [null, first.author, await app.person(), first.psychologist]) {
    const { answers } = await detail(first.consultation, as);
    const of = (id: string) => answers.find((one: { id: string }) => one.id === id).replies;
    expect(of(second).map((one: { content: string }) => one.content)).toEqual(["A la otra respuesta"]);
    for (const one of of(first.answer)) {
      expect(Object.keys(one).sort()).toEqual(["content", "created_at", "edited_at", "id", "viewer"]);
      expect(one.viewer).toEqual({ mine: false });
      expect(one.created_at).toMatch(/:00\.000Z$/);
    }
    views.push(of(first.answer));
    for (const { id, email, full_name } of [...people, first.author])
      for (const trace of [id, email, full_name]) expect(JSON.stringify(answers)).not.toContain(trace);
  }
  expect(views[0]).toHaveLength(2);
  expect(views).toEqual(Array(4).fill(views[0]));
});

type Thread = Awaited<ReturnType<typeof openThread>>;
test.each<[string, (thread: Thread, voted: string) => ReturnType<TestApp["call"]>]>([
  ["a vote on the same answer", async (_, voted) => putVote(app, "answers", voted, await app.person(), "down")],
  [
    "a vote on another of their answers",
    async ({ answer }) => putVote(app, "answers", answer, await app.person(), "up"),
  ],
  [
    "the deletion of another one",
    ({ answer, psychologist }) => app.call("DELETE", `/answers/${answer}`, {}, psychologist),
  ],
  [
    "the deletion of a consultation they answered",
    ({ consultation: of, author }) => app.call("DELETE", `/consultations/${of}`, {}, author),
  ],
])(
  "PUT /answers/{id}/vote counts a vote and %s in the psychologist's total if the two overlap",
  async (_what, then) => {
    const { answer: id, psychologist } = await openThread(app);
    const author = await app.person();
    const of = await ask(app, author);
    const other = {
      consultation: of,
      author,
      answer: await publishAnswer(app, of, psychologist),
      psychologist,
    };
    await putVote(app, "answers", other.answer, await app.person(), "up");
    const voter = await app.person();
    const made = await whileRowLocked(app, "psychologist_profiles", psychologist.id, [
      () => putVote(app, "answers", id, voter, "up"),
      () => then(other, id),
    ]);
    for (const { status, text } of made) expect(status, text).toBeLessThan(300);
    await expectCountersMatchRows(app);
  },
);

test("votes and thanks without JavaScript redirect visitors to sign in, and users back to the answer on its page", async () => {
  const { answer, consultation } = await openThread(app);
  const user = await app.person();
  const page = `/consulta/${consultation}?orden=antiguas`;
  for (const [action, fields, place] of [
    ["voto", { vote: "up" }, "votar-respuesta"],
    ["gracias", { on: "1" }, "respuesta"],
  ] as const) {
    const press = async (as: TestUser | null) =>
      (await app.form(`/respuesta/${answer}/${action}`, fields, as, { referer: app.url + page })).headers.get(
        "location",
      );
    expect(decodeURIComponent((await press(null))!)).toBe(`/auth?volver=${page}#${place}-${answer}`);
    expect(await press(user)).toBe(`${page}#respuesta-${answer}`);
  }
  expect((await detail(consultation, user)).answers[0].viewer).toMatchObject({ vote: "up", thanked: true });
});

const thank = (answer: string, as: TestUser | null, on = true) =>
  app.call("PUT", `/answers/${answer}/thanks`, { on }, as);
const answerAs = async (of: string, as: TestUser | null) => (await readConsultation(app, of, as)).body.answers[0];

test("PUT /answers/{id}/thanks shows only the psychologist how many people an answer helped, without their names", async () => {
  const { answer, consultation, psychologist, author } = await openThread(app);
  const reader = await app.person({ name: "Rita Lectora" });
  const before = JSON.stringify(await answerAs(consultation, null));
  expect((await thank(answer, psychologist)).body.code).toBe("cannot_vote_own_answer");
  expect((await thank(answer, reader)).body).toEqual({ thanked: true });
  for (const _ of [1, 2]) expect((await thank(answer, author)).status).toBe(200);
  expect((await answerAs(consultation, reader)).viewer).toMatchObject({ thanked: true, thanks: null });
  expect((await answerAs(consultation, psychologist)).viewer).toMatchObject({ thanked: false, thanks: 2 });
  expect(JSON.stringify(await answerAs(consultation, null))).toBe(before);
  const news = (await app.call("GET", "/notifications", undefined, psychologist)).body.items;
  expect(news[0]).toMatchObject({ kind: "thanked", people: 2, is_new: true });
  expect(JSON.stringify(news)).not.toMatch(new RegExp(`${reader.id}|Rita|${author.id}`));
  expect((await app.page("/notificaciones", psychologist)).text).toContain("A 2 personas les ayudó tu respuesta");

  const count = async () =>
    /thanks-count">([^<]*)</.exec((await app.page(`/consulta/${consultation}`, psychologist)).text)![1];
  expect(await count()).toBe("2 personas dicen que les ayudó");
  expect((await thank(answer, reader, false)).body).toEqual({ thanked: false });
  expect(await count()).toBe("1 persona dice que le ayudó");
});
