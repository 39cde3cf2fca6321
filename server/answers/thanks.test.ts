import { expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { openThread, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();
const thank = (answer: string, as: TestUser | null, on = true) =>
  app.call("PUT", `/answers/${answer}/thanks`, { on }, as);
const answerAs = async (of: string, as: TestUser | null) => (await readConsultation(app, of, as)).body.answers[0];

test("shows only the psychologist how many people an answer helped, without their names", async () => {
  const { answer, consultation, psychologist, author } = await openThread(app);
  const reader = await app.person({ name: "Rita Lectora" });
  const before = JSON.stringify(await answerAs(consultation, null));
  expect((await thank(answer, reader)).body).toEqual({ thanked: true });
  await thank(answer, author);
  expect((await answerAs(consultation, reader)).viewer).toMatchObject({ thanked: true, thanks: null });
  expect((await answerAs(consultation, psychologist)).viewer).toMatchObject({ thanked: false, thanks: 2 });
  expect(JSON.stringify(await answerAs(consultation, null))).toBe(before);
  const news = (await app.call("GET", "/notifications", undefined, psychologist)).body.items;
  expect(news[0]).toMatchObject({ kind: "thanked", people: 2, is_new: true });
  expect(JSON.stringify(news)).not.toMatch(new RegExp(`${reader.id}|Rita|${author.id}`));
  expect((await app.page("/notificaciones", psychologist)).text).toContain("A 2 personas les ayudó tu respuesta");

  expect((await thank(answer, reader, false)).body).toEqual({ thanked: false });
  expect((await answerAs(consultation, psychologist)).viewer.thanks).toBe(1);
});

test("counts a person once for 20 concurrent presses", async () => {
  const { answer, consultation, psychologist } = await openThread(app);
  const reader = await app.person();
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await thank(answer, reader)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await answerAs(consultation, psychologist)).viewer.thanks).toBe(1);
});

test("rejects the psychologist's own thanks and visitors, and responds 404 and 410 for a missing answer", async () => {
  const { answer, psychologist, author } = await openThread(app);
  expect((await thank(answer, psychologist)).body.code).toBe("cannot_vote_own_answer");
  expect((await thank(answer, null)).status).toBe(401);
  expect((await thank(psychologist.id, author)).status).toBe(404);
  await app.call("DELETE", `/answers/${answer}`, {}, psychologist);
  expect((await thank(answer, author)).status).toBe(410);
});
