/** Pages of replies and answers: many long texts, by one user or several, never make a page too large to load. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ANSWER_SORTS } from "#shared/sorts.ts";
import { DAY, HOUR } from "#shared/time.ts";
import type { TestApp, TestUser } from "#test/app.ts";
import { idsIn, pagesOf } from "#test/lists.ts";
import { consentingUser } from "#test/own-data.ts";
import { setUpOnce, setUpTestApp } from "#test/suite-setup.ts";
import { ask, postAnswer, postReply, publishReply, resetWeeklyLimit } from "#test/threads.ts";
import { housekeeping } from "../housekeeping-store.ts";

const app = setUpTestApp();
const author = setUpOnce(() => app.person());
const psychologist = setUpOnce(() => app.person({ type: "psychologist", gold: "active" }));

async function answered(): Promise<{ consultation: string; answer: string }> {
  await resetWeeklyLimit(app, author);
  const consultation = await ask(app, author);
  const { body } = await postAnswer(app, consultation, psychologist, "Una.");
  return { consultation, answer: body.id };
}

/** Inserts replies of one user, one per minute, above every limit. */
async function flood(answer: string, count: number, text: string, writer = author): Promise<void> {
  await app.sql(
    `insert into consultation_replies (response_id, user_id, content, created_at)
     select $1, $2, $3 || ' ' || n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(1, $4::int) n`,
    [answer, writer.id, text, count],
  );
}

test("returns replies of two users in pages of 20, oldest first, each once even with equal times", async () => {
  const { answer } = await answered();
  const other = await app.person();
  // Inserted newest first, so that the order of time differs from the table's order and from the order of authors.
  for (const [writer, rest] of [
    [other, 1],
    [author, 0],
  ] as const)
    await app.sql(
      `insert into consultation_replies (response_id, user_id, content, created_at)
       select $1, $2, 'Comentario ' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 4 * interval '1 minute'
       from generate_series(40, 1, -1) n where n % 2 = $3`,
      [answer, writer.id, rest],
    );
  const inOrder = await app.sql<{ content: string }>(
    "select content from consultation_replies where response_id = $1 order by created_at, id",
    [answer],
  );
  for (const as of [null, author, other]) {
    const pages = await Array.fromAsync(pagesOf<{ content: string }>(app, `/answers/${answer}/replies`, as));
    // No empty last page.
    expect(pages.map(({ length }) => length)).toEqual([20, 20]);
    expect(pages.flat().map(({ content }) => content)).toEqual(inOrder.map(({ content }) => content));
  }
});

test("repeats or skips no reply when the user writes or deletes one between two pages", async () => {
  const { consultation, answer } = await answered();
  await flood(answer, 25, "Un comentario");
  const { body } = await app.call("GET", `/consultations/${consultation}`);
  const [first] = body.answers;
  await app.call("DELETE", `/replies/${first.replies[19].id}`, {}, author);
  await postReply(app, answer, author, "El más nuevo");
  const next = await app.call("GET", `/answers/${answer}/replies?cursor=${first.next_replies_cursor}`);
  expect(next.body.items.map((reply: { content: string }) => reply.content)).toEqual([
    ...[21, 22, 23, 24, 25].map((n) => `Un comentario ${n}`),
    "El más nuevo",
  ]);
});

test("shows the 20 longest replies of one answer, or at least the first of each of 10 answers", async () => {
  const alone = await answered();
  await flood(alone.answer, 30, "x".repeat(4990));
  const one = await app.call("GET", `/consultations/${alone.consultation}`);
  expect(one.body.answers[0].replies).toHaveLength(20);

  const { consultation, answer } = await answered();
  await app.sql("update consultation_responses set content = repeat('y', 5000) where id = $1", [answer]);
  const answers = [answer];
  for (let n = 1; n < 10; n++)
    answers.push((await postAnswer(app, consultation, psychologist, "y".repeat(5000))).body.id);
  for (const id of answers) await flood(id, 30, "x".repeat(4990));
  const many = await app.call("GET", `/consultations/${consultation}`);
  expect(many.text.length).toBeLessThan(200_000);
  const shown = many.body.answers.map((each: { replies: unknown[] }) => each.replies.length);
  expect(Math.min(...shown)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...shown) - Math.min(...shown)).toBeLessThanOrEqual(1);
  expect((await app.page(`/consulta/${consultation}`)).text.length).toBeLessThan(400_000);
  // The next page continues after the cut.
  const cut = many.body.answers[3];
  const next = await app.call("GET", `/answers/${cut.id}/replies?cursor=${cut.next_replies_cursor}`);
  expect(next.body.items[0].content).toMatch(new RegExp(` ${cut.replies.length + 1}$`));
});

test("shows authors their newest 3 replies at once even if their page is not loaded", async () => {
  const { consultation, answer } = await answered();
  const other = await app.person();
  await flood(answer, 30, "Un comentario", other);
  for (const content of ["Primero", "Segundo", "Tercero", "Cuarto"])
    expect((await postReply(app, answer, author, content)).status).toBe(201);
  const mine = await app.call("GET", `/consultations/${consultation}`, undefined, author);
  const [seen] = mine.body.answers;
  expect(seen.viewer.replies.map((reply: { content: string }) => reply.content)).toEqual([
    "Segundo",
    "Tercero",
    "Cuarto",
  ]);
  expect(seen.viewer.replies[0].viewer.mine).toBe(true);
  for (const as of [null, other]) {
    const theirs = await app.call("GET", `/consultations/${consultation}`, undefined, as);
    expect(theirs.body.answers[0].reply_count).toBe(34);
    expect(theirs.body.answers[0].viewer.replies.map((reply: { content: string }) => reply.content)).toEqual(
      as ? ["Un comentario 28", "Un comentario 29", "Un comentario 30"] : [],
    );
  }
});

describe("daily limit of replies", () => {
  const writeAndDelete = async (answer: string, writer: TestUser) => {
    const made = await postReply(app, answer, writer);
    if (made.status !== 201) return made;
    return app.call("DELETE", `/replies/${made.body.id}`, {}, writer);
  };
  const deletedRows = (writer: TestUser) => app.sql("select from deleted_replies where user_id = $1", [writer.id]);

  test("accepts exactly 20 of 25 concurrent replies, deleted ones too, and responds with the time of the next", async () => {
    const { consultation, answer } = await answered();
    const writer = await app.person();
    const now = new Date("2026-03-02T12:00:00Z");
    app.setNow(now);
    const send = [postReply, (_: TestApp, of: string, by: TestUser) => writeAndDelete(of, by)];
    const sent = await Promise.all(Array.from({ length: 25 }, (_, n) => send[n % 2]!(app, answer, writer)));
    const statuses = sent.map(({ status }) => status);
    expect(statuses.toSorted().slice(20)).toEqual(Array(5).fill(403));
    for (const { status, body } of sent.filter(({ status }) => status === 403))
      expect({ status, ...body }).toEqual({
        status: 403,
        code: "reply_limit_reached",
        details: { until: "2026-03-03T12:00:00.000Z", retry_after_seconds: 86_400 },
      });
    const { body } = await app.call("GET", `/consultations/${consultation}`);
    expect(body.answers[0].reply_count).toBe(statuses.filter((status) => status === 201).length);
    expect(await deletedRows(writer)).toHaveLength(statuses.filter((status) => status === 200).length);

    // The limit is per user and answer.
    expect((await postReply(app, (await answered()).answer, writer)).status).toBe(201);
    expect((await postReply(app, answer, author)).status).toBe(201);

    app.setNow(new Date(now.getTime() + DAY - 1));
    await housekeeping(app.context);
    expect((await postReply(app, answer, writer)).status).toBe(403);
    app.setNow(new Date(now.getTime() + DAY));
    expect((await postReply(app, answer, writer)).status).toBe(201);
    await housekeeping(app.context);
    expect(await deletedRows(writer)).toEqual([]);
  });

  test("counts a deleted reply from the time of writing", async () => {
    const { answer } = await answered();
    const writer = await app.person();
    const start = new Date("2026-03-02T12:00:00Z");
    const later = new Date(start.getTime() + HOUR);
    app.setNow(start);
    const first = await publishReply(app, answer, writer);
    await app.sql(
      `insert into consultation_replies (response_id, user_id, content, created_at)
       select $1, $2, 'Otro', $3 from generate_series(1, 19)`,
      [answer, writer.id, later],
    );
    app.setNow(later);
    await app.call("DELETE", `/replies/${first}`, {}, writer);
    const { body } = await postReply(app, answer, writer);
    expect(body).toMatchObject({ code: "reply_limit_reached", details: { until: "2026-03-03T12:00:00.000Z" } });
  });

  test("stores no time of a deleted reply after the deletion of the account", async () => {
    const { answer } = await answered();
    const writer = await consentingUser(app);
    expect((await writeAndDelete(answer, writer)).status).toBe(200);
    expect(await deletedRows(writer)).toHaveLength(1);
    expect((await app.call("DELETE", "/account", { anonymous_texts: "keep" }, writer)).status).toBe(200);
    expect(await deletedRows(writer)).toEqual([]);
  });
});

test("shows the text of a refused reply again without JavaScript, with a Spanish message", async () => {
  const { answer } = await answered();
  const writer = await app.person();
  await app.sql(
    "insert into consultation_replies (response_id, user_id, content) select $1, $2, 'Otro más' from generate_series(1, 20)",
    [answer, writer.id],
  );
  const refused = await app.form(`/respuesta/${answer}/comentario`, { content: "Esto no se pierde" }, writer);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain("Esto no se pierde");
  expect(refused.text).toContain("20 comentarios en 24 horas");
  expect(refused.text).toContain("Espera 24 horas para escribir otro");
});

/** A consultation with many answers, some of them with equal votes and times. */
async function withAnswers(count: number): Promise<string> {
  await resetWeeklyLimit(app, author);
  const consultation = await ask(app, author);
  await app.sql(
    `insert into consultation_responses (consultation_id, psychologist_id, content, upvotes, created_at)
     select $1, $2, 'Respuesta ' || n, n % 4, '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 minute' from generate_series(1, $3::int) n`,
    [consultation, psychologist.id, count],
  );
  return consultation;
}

test.each(ANSWER_SORTS)("returns answers sorted by %s in pages of 10, each once", async (sort) => {
  const consultation = await withAnswers(37);
  const order = {
    recent: "created_at desc, id desc",
    oldest: "created_at, id",
    votes: "votes desc, created_at desc, id desc",
  };
  const expected = await app.sql<{ id: string }>(
    `select id from consultation_responses where consultation_id = $1 order by ${order[sort]}`,
    [consultation],
  );
  const ids = expected.map(({ id }) => id);
  const { answers } = (await app.call("GET", `/consultations/${consultation}?sort=${sort}`)).body;
  expect(answers.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
  expect(await idsIn(pagesOf(app, `/consultations/${consultation}/answers?sort=${sort}`))).toEqual(ids);
});

test("starts the page at the linked answer or reply, or at the first if it was deleted", async () => {
  const consultation = await withAnswers(30);
  const all = await app.sql<{ id: string }>(
    "select id from consultation_responses where consultation_id = $1 order by created_at desc, id desc",
    [consultation],
  );
  // No sort shows this answer on its first page.
  const [{ id: deep }] = (await app.sql<{ id: string }>(
    "select id from consultation_responses where consultation_id = $1 and content = 'Respuesta 14'",
    [consultation],
  )) as [{ id: string }];
  await flood(deep, 50, "Un comentario");
  const [{ id: reply }] = (await app.sql<{ id: string }>(
    "select id from consultation_replies where response_id = $1 and content = 'Un comentario 42'",
    [deep],
  )) as [{ id: string }];
  const early = await app.sql<{ id: string; response_id: string }>(
    `insert into consultation_replies (response_id, content, created_at)
     select id, 'Uno antes', '2025-12-31' from consultation_responses where consultation_id = $1 and id <> $2
     returning id, response_id`,
    [consultation, deep],
  );
  for (const sort of ANSWER_SORTS) {
    const byAnswer = await app.call("GET", `/consultations/${consultation}?sort=${sort}&answer=${deep}`);
    expect(byAnswer.body.answers[0].id).toBe(deep);
    expect(byAnswer.body.answers[0].replies[0].content).toBe("Un comentario 1");
    expect(byAnswer.body.leaves_out).toEqual({ answers: true, replies_of: null });
    const after = `answer=${deep}&replies_cursor=${byAnswer.body.answers[0].next_replies_cursor}`;
    const next = await app.call("GET", `/consultations/${consultation}?sort=${sort}&${after}`);
    expect(next.body.answers[0]).toMatchObject({ id: deep, replies: { 0: { content: "Un comentario 21" } } });
    const byReply = await app.call("GET", `/consultations/${consultation}?sort=${sort}&reply=${reply}`);
    expect(byReply.body.answers[0].id).toBe(deep);
    expect(byReply.body.answers[0].replies[0].id).toBe(reply);
    expect(byReply.body.answers[0].replies).toHaveLength(9);
    // The replies of the other answers begin at their first.
    expect(byReply.body.answers[1].replies).toHaveLength(1);
    expect(byReply.body.leaves_out).toEqual({ answers: true, replies_of: deep });
  }
  const whole = ["Ver todas las respuestas", "Ver los comentarios desde el principio"];
  for (const [asked, links] of [
    [`comentario=${reply}`, whole],
    [`respuesta=${deep}`, whole.slice(0, 1)],
    ["respuesta=ninguna", []],
  ] as const) {
    const { status, text } = await app.page(`/consulta/${consultation}?${asked}`);
    expect([status, whole.filter((words) => text.includes(words))]).toEqual([200, links]);
  }
  // The links of the page lead through all replies and back, without JavaScript.
  const follow = async (path: string, words: string) => {
    const { text } = await app.page(path);
    const [, to] = new RegExp(`<a[^>]* href="([^"]+)"[^>]*>(?:(?!</a>)[\\s\\S])*${words}`).exec(text)!;
    return to!.replaceAll("&amp;", "&");
  };
  const second = await follow(`/consulta/${consultation}?respuesta=${deep}`, "Ver más comentarios");
  const last = await follow(second, "Ver más comentarios");
  const texts = async (path: string) => (await app.page(path)).text.match(/Un comentario \d+/g)![0];
  expect([await texts(second), await texts(last)]).toEqual(["Un comentario 21", "Un comentario 41"]);
  expect(await texts(await follow(last, whole[1]!))).toBe("Un comentario 1");
  expect(await follow(last, whole[0]!)).toMatch(new RegExp(`^/consulta/${consultation}(#|$)`));
  // The first page shows its answers and replies in their places. Items of another consultation are ignored.
  const other = await answered();
  const foreign = [`answer=${other.answer}`, `reply=${await publishReply(app, other.answer, author)}`];
  const shown = all[4]!.id;
  const own = [`answer=${shown}`, `reply=${early.find(({ response_id }) => response_id === shown)!.id}`];
  for (const of of [`reply=${randomUUID()}`, ...own, ...foreign]) {
    const { body } = await app.call("GET", `/consultations/${consultation}?${of}`);
    expect(body.answers[0].id).toBe(all[0]!.id);
    expect(body.leaves_out).toEqual({ answers: false, replies_of: null });
  }
});
