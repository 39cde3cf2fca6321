import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { minuteOf } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { withRowsLocked } from "#test/locks.ts";
import { expectCountersMatchRows, tablesContaining } from "#test/own-data.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import {
  ask,
  askAnew,
  postAnswer,
  postReply,
  publishAnswer,
  publishReply,
  putVote,
  readConsultation,
  totalsOf,
} from "#test/threads.ts";
import { consultationVersion } from "#test/versions.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const WORDS = {
  title: "Otra forma de decirlo",
  content: "Un texto corregido, también con más de veinte caracteres.",
  country: "Chile",
  category: "Duelo",
  is_anonymous: true,
};
const edit = (id: string, as: TestUser | null, more: Record<string, unknown> = {}) =>
  app.call("PATCH", `/consultations/${id}`, { ...WORDS, ...more }, as);
const remove = (id: string, as: TestUser | null) => app.call("DELETE", `/consultations/${id}`, {}, as);
const limitOf = async (as: TestUser) => (await app.call("GET", "/weekly-limit", undefined, as)).body;

/** Removes a consultation as the administrator; loads the version again after each concurrent change. */
async function removedBy(admin: TestUser, id: string) {
  for (;;) {
    const version = await consultationVersion(app, admin, id);
    const answer = await app.call("DELETE", `/admin/consultations/${id}`, { version }, admin);
    if (answer.body.code !== "version_conflict") return answer;
  }
}

describe("PATCH /consultations/{id}", () => {
  test("changes all fields for the author and marks the consultation as edited, unless nothing changed", async () => {
    const { author, id } = await askAnew(app, { notify_on_answer: true });
    const unchanged = { title: "Una pregunta de prueba", content: "Un texto de prueba con más de veinte caracteres." };
    expect((await edit(id, author, { ...unchanged, country: "Uruguay", category: null })).status).toBe(200);
    expect((await readConsultation(app, id)).body.consultation.edited_at).toBeNull();
    const now = new Date(Date.now() + 1000);
    app.setNow(now);
    expect((await edit(id, author)).body).toEqual({ done: true });
    const { consultation, viewer } = (await readConsultation(app, id, author)).body;
    expect(consultation).toMatchObject({ ...WORDS, edited_at: minuteOf(now) });
    // An omitted field stays unchanged.
    expect(viewer.notify_on_answer).toBe(true);
    expect((await limitOf(author)).used).toBe(1);
  });

  test("deletes the display name when the author switches to anonymous", async () => {
    const author = await app.person({ name: "Nombre Que Se Va" });
    const id = await ask(app, author, { is_anonymous: false, author_name: "Apodo" });
    // Only the author gets the display name as such.
    expect((await readConsultation(app, id, author)).body.viewer.author_name).toBe("Apodo");
    const { consultation, viewer } = (await readConsultation(app, id)).body;
    expect([consultation.author_label, viewer.author_name]).toEqual(["Apodo", null]);
    // A name that is not published is not judged.
    expect((await edit(id, author, { is_anonymous: true, author_name: "Equipo de soporte" })).status).toBe(200);
    const shown = await readConsultation(app, id, await app.person());
    expect(shown.text).not.toMatch(/Apodo|Nombre Que Se Va/);
    expect(await app.sql("select author_name from consultations where id = $1", [id])).toEqual([{ author_name: null }]);
  });

  test("stores noindex from the forms without JavaScript", async () => {
    const author = await app.person();
    const fields = { ...WORDS, is_anonymous: "on" };
    const made = await app.form("/nueva-consulta", { ...fields, noindex: "on" }, author);
    const id = made.headers.get("location")!.split("/").at(-1)!;
    const page = `/consulta/${id}/editar`;
    const noindex = async () => (await readConsultation(app, id)).body.consultation.noindex;
    const ticked = /<input(?=[^>]* name="noindex")(?=[^>]* checked)/;
    expect([await noindex(), ticked.test((await app.page(page, author)).text)]).toEqual([true, true]);
    // A refused form contains the box as it was sent, and the switch of the mails changes only the mails.
    expect((await app.form(page, { ...fields, title: "no" }, author)).text).not.toMatch(ticked);
    await app.form(page, { intent: "mails", notify_on_answer: "on" }, author);
    expect(await noindex()).toBe(true);
    await app.form(page, fields, author);
    expect([await noindex(), ticked.test((await app.page(page, author)).text)]).toEqual([false, false]);
  });

  test("changes nothing else when the author switches the mails", async () => {
    const author = await app.person({ name: "Nombre Que No Se Ve" });
    const id = await ask(app, author, { is_anonymous: false, author_name: "Apodo", category: "Duelo" });
    const read = async () => (await readConsultation(app, id, author)).body;
    const { consultation } = await read();
    expect(consultation).toMatchObject({ author_label: "Apodo", category: "Duelo", edited_at: null });
    const turn = (notify_on_answer: string) =>
      app.form(`/consulta/${id}/editar`, { intent: "mails", notify_on_answer }, author);
    for (const notify_on_answer of ["on", ""]) {
      await turn(notify_on_answer);
      const after = await read();
      expect(after.viewer.notify_on_answer).toBe(notify_on_answer === "on");
      expect(after.consultation).toEqual(consultation);
    }
    // An edit of another tab commits while the switch waits for its lock.
    const title = "El título que otra pestaña acaba de guardar";
    await withRowsLocked(app, "update consultations set title = $2 where id = $1", [id, title], [() => turn("on")]);
    expect(await read()).toMatchObject({
      consultation: { ...consultation, title },
      viewer: { notify_on_answer: true },
    });
  });

  test("works without JavaScript, including an unticked box or refused text", async () => {
    const { author, id } = await askAnew(app, { notify_on_answer: true });
    const shown = await app.page(`/consulta/${id}/editar`, author);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("Una pregunta de prueba");
    expect(shown.text).toMatch(/<input[^>]*name="noindex"/);
    // An anonymous consultation has no display name.
    expect(shown.text).toMatch(/<div hidden="">(<[^>]*>)*<label for="consulta-author_name"/);
    // While all mails are off, the form keeps the choice of this consultation.
    const kept = /<input(?=[^>]* type="hidden")(?=[^>]* name="notify_on_answer")(?=[^>]* value="on")/;
    await app.call("PUT", "/notifications/choices", { answers: false }, author);
    const withoutMails = await app.page(`/consulta/${id}/editar`, author);
    expect([kept.test(shown.text), kept.test(withoutMails.text)]).toEqual([false, true]);
    const { is_anonymous: _, ...fields } = WORDS;
    const refused = await app.form(`/consulta/${id}/editar`, { ...fields, title: "no" }, author);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(WORDS.content);
    const saved = await app.form(`/consulta/${id}/editar`, fields, author);
    expect(saved.status).toBe(302);
    expect(saved.headers.get("location")).toBe(`/consulta/${id}`);
    // A form in the consultation keeps its order.
    const sorted = `/consulta/${id}?orden=antiguas`;
    for (const sent of [fields, { intent: "mails" }]) {
      const inPlace = await app.form(`/consulta/${id}/editar`, sent, author, { referer: app.url + sorted });
      expect(inPlace.headers.get("location")).toBe(sorted);
    }
    const { consultation, viewer } = (await readConsultation(app, id, author)).body;
    expect(consultation).toMatchObject({ title: WORDS.title, is_anonymous: false });
    expect(viewer.notify_on_answer).toBe(false);
    expect((await app.page(`/consulta/${id}/editar`, await app.person())).status).toBe(404);
    expect((await app.page(`/consulta/${id}/editar`)).headers.get("location")).toBe(
      `/auth?volver=/consulta/${id}/editar`,
    );
  });
});

describe("DELETE /consultations/{id}", () => {
  test("deletes everything below, recounts, restores no limit and no free answer", async () => {
    const [author, voter] = [await app.person(), await app.person()];
    const psychologists = [await app.person({ type: "psychologist" }), await app.person({ type: "psychologist" })];
    const id = await ask(app, author);
    const elsewhere = await ask(app, await app.person());
    const [answers, replies]: [string[], string[]] = [[], []];
    for (const psychologist of psychologists) {
      answers.push(await publishAnswer(app, id, psychologist));
      await putVote(app, "answers", answers.at(-1)!, voter);
      replies.push(await publishReply(app, answers.at(-1)!, voter));
    }
    const kept = await publishAnswer(app, elsewhere, psychologists[0]!);
    await putVote(app, "answers", kept, voter, "down");
    await putVote(app, "consultations", id, voter);
    expect((await remove(id, author)).body).toEqual({ done: true });
    for (const one of [id, ...answers]) expect(await tablesContaining(app, one)).toEqual(["deleted_items"]);
    const deleted = [id, ...answers, ...replies].sort();
    const traces = "select * from deleted_items where id = any($1::uuid[]) order by id::text";
    expect(await app.sql(traces, [deleted])).toEqual(deleted.map((one) => ({ id: one })));
    expect(await totalsOf(app, psychologists[0]!)).toEqual({ answers: 1, rows: 1, votes: -1, sum: -1, used: 2 });
    expect(await totalsOf(app, psychologists[1]!)).toEqual({ answers: 0, rows: 0, votes: 0, sum: 0, used: 1 });
    expect((await limitOf(author)).used).toBe(1);
    await expect(ask(app, author)).rejects.toThrow("weekly_limit_reached");
  });

  test("responds 410 to all users in the API and on the page", async () => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist" });
    const id = await ask(app, author);
    const ofAnswer = await publishAnswer(app, id, psychologist);
    const ofReply = await publishReply(app, ofAnswer, author);
    await remove(id, author);
    for (const as of [null, author, psychologist, admin]) {
      const gone = await readConsultation(app, id, as);
      expect([gone.status, gone.body]).toEqual([410, { code: "gone" }]);
      const page = await app.page(`/consulta/${id}`, as);
      expect(page.status).toBe(410);
      expect(page.text).toContain("Esto ya no está aquí");
      expect(page.text).toContain("noindex");
    }
    const refusals = [
      await edit(id, author),
      await remove(id, author),
      await putVote(app, "consultations", id, author),
      await putVote(app, "answers", ofAnswer, author),
      await postAnswer(app, id, psychologist, "Una respuesta"),
      await postReply(app, ofAnswer, author, "Una réplica"),
      await app.call("GET", `/consultations/${id}/answers`),
      await app.call("GET", `/answers/${ofAnswer}/replies`),
      await app.call("GET", `/answers/${ofAnswer}`, undefined, psychologist),
      await app.call("GET", `/replies/${ofReply}`, undefined, author),
      await app.call("DELETE", `/replies/${ofReply}`, {}, author),
      await app.call("DELETE", `/admin/consultations/${id}`, { version: "" }, admin),
    ];
    for (const [i, { status, body }] of refusals.entries())
      expect([i, status, body]).toEqual([i, 410, { code: "gone" }]);
    // Unknown ids still respond 404.
    expect((await readConsultation(app, randomUUID())).status).toBe(404);
    expect((await app.page(`/consulta/${randomUUID()}`)).text).toContain("Consulta no encontrada");
  });
});

test("deletions during concurrent answers, votes and replies leave no wrong counter or orphaned row", async () => {
  const psychologists = await Promise.all(
    Array.from({ length: 3 }, () => app.person({ type: "psychologist", gold: "active" })),
  );
  const people = await Promise.all(Array.from({ length: 4 }, () => app.person()));
  for (let round = 0; round < (FULL_RUN ? 6 : 1); round++) {
    const authors = await Promise.all(Array.from({ length: 5 }, () => app.person()));
    const ids = await Promise.all(authors.map((author) => ask(app, author)));
    const answers = await Promise.all(
      ids.flatMap((id) => psychologists.map(async (one) => ({ id: await publishAnswer(app, id, one), by: one }))),
    );
    const outcomes = await Promise.all([
      ...ids.flatMap((id, i) => [
        ...psychologists.map((one) => postAnswer(app, id, one, "Otra respuesta")),
        ...people.map((one) => putVote(app, "consultations", id, one)),
        // The last two stay. Of the others, authors delete half and the administrator removes half.
        ...(i > 2 ? [] : i % 2 ? [remove(id, authors[i]!), remove(id, authors[i]!)] : [removedBy(admin, id)]),
      ]),
      // Authors vote and ask at the same time; the administrator's removal locks their profiles last.
      ...authors.map((one, i) => putVote(app, "answers", answers[(i * 5) % answers.length]!.id, one)),
      ...answers.flatMap(({ id, by }, i) => [
        putVote(app, "answers", id, people[i % people.length]!, i % 3 ? "up" : "down"),
        postReply(app, id, people[(i + 1) % people.length]!, "Una réplica"),
        ...(i % 4 === 0 ? [app.call("DELETE", `/answers/${id}`, {}, by)] : []),
      ]),
    ]);
    expect(app.log.filter((line) => line.includes('"unavailable"'))).toEqual([]);
    const statuses = new Set(outcomes.map(({ status }) => status));
    for (const status of statuses) expect([200, 201, 410]).toContain(status);
  }
  await expectCountersMatchRows(app);
  // No id is both existing and deleted.
  expect(
    await app.sql(
      `select id from deleted_items where id in
         (select id from consultations union all select id from consultation_responses union all select id from consultation_replies)`,
    ),
  ).toEqual([]);
});
