import { describe, expect, test } from "vitest";
import { excerpt } from "#shared/excerpt.ts";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "#test/app.ts";
import { withFullDisk } from "#test/full-disk.ts";
import { pagesOf } from "#test/lists.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, askAnew, publishAnswer } from "#test/threads.ts";
import { markListed } from "./store.ts";

const app = setUpTestApp();

describe("own consultations", () => {
  const many = (author: TestUser, count: number) =>
    app.sql(
      `insert into consultations (title, content, country, is_anonymous, user_id, created_at)
       select 'Pregunta número ' || n, 'Un texto de prueba con más de veinte.', 'Chile', n % 2 = 0, $1,
         '2026-01-01'::timestamptz + n / 3 * interval '1 minute' from generate_series(1, $2::integer) n`,
      [author.id, count],
    );

  test("returns all of the author's only, newest first, each once over all pages", async () => {
    const [author, other] = [await app.person({ name: "Ana Ruiz" }), await app.person()];
    await many(author, LIMITS.ownConsultationsPage * 2 + 3);
    await many(other, 3);
    type Own = { id: string; is_anonymous: boolean; author_label: string };
    const pages = await Array.fromAsync(pagesOf<Own>(app, "/profile/consultations", author));
    const full = LIMITS.ownConsultationsPage;
    expect(pages.map(({ length }) => length)).toEqual([full, full, 3]);
    const seen = pages.flat();
    const rows = await app.sql<{ id: string }>(
      "select id from consultations where user_id = $1 order by created_at desc, id desc",
      [author.id],
    );
    expect(seen.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const one of seen) expect(one.author_label).toBe(one.is_anonymous ? "Anónimo" : "Ana Ruiz");
  });

  test("shows a new answer everywhere, and keeps it new, while the disk of the database is full", async () => {
    const { author, id } = await askAnew(app);
    await publishAnswer(app, id, await app.person({ type: "psychologist" }), "La respuesta que su autora espera");
    const writes = ["update on consultations", "update on accounts", "update on push_subscriptions"];
    await withFullDisk(app, writes, async () => {
      expect((await app.page(`/consulta/${id}`, author)).text).toContain("La respuesta que su autora espera");
      expect((await app.page("/perfil", author)).status).toBe(200);
      expect((await app.page("/notificaciones", author)).status).toBe(200);
    });
    const [stored] = await app.sql("select answers_seen, answers_listed from consultations where id = $1", [id]);
    expect(stored).toEqual({ answers_seen: 0, answers_listed: 0 });
  });

  test("shows the newest answer with a link to the consultation", async () => {
    const author = await app.person();
    const long = "Muchas palabras. ".repeat(30).trim();
    const id = await ask(app, author, { is_anonymous: false, author_name: "Un Apodo", content: long });
    const before = await app.page("/perfil", author);
    for (const words of ["Pendiente", "Sin respuestas"]) expect(before.text).toContain(words);
    const psychologist = await app.person({ type: "psychologist" });
    for (const content of ["Buen día", long]) await publishAnswer(app, id, psychologist, content);
    const after = await app.page("/perfil", author);
    for (const words of ["Mis Consultas", "Respondida", "2 respuestas", "Con nombre: Un Apodo", "Uruguay", "Tu semana"])
      expect(after.text).toContain(words);
    expect(after.text).toContain("Límite alcanzado");
    const [own] = (await app.call("GET", "/profile/consultations", undefined, author)).body.items;
    expect(own.newest_answer).toEqual({
      id: expect.any(String),
      author: psychologist.full_name,
      content: excerpt(long),
    });
    expect(own.content).toBe(excerpt(long));
    expect(after.text).toContain(`href="/consulta/${id}"`);
    expect(after.text).not.toContain("Pendiente");
  });

  test("shows a line on / while there are new answers: a link to one, or to the list of several", async () => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    await many(author, 2);
    const { items } = (await app.call("GET", "/profile/consultations", undefined, author)).body;
    const line = async () =>
      /<a class="viewer-status" href="([^"]*)"[^>]*>.*?<span>(.*?)<\/span>/
        .exec((await app.page("/", author)).text.replaceAll("<!-- -->", ""))
        ?.slice(1);
    const answer = (of: { id: string }) =>
      app.call("POST", `/consultations/${of.id}/answers`, { content: "Te leo." }, psychologist);
    expect(await line()).toEqual([`/consulta/${items[0].id}`, "Tu última consulta: sin respuestas todavía"]);
    await answer(items[1]);
    expect(await line()).toEqual([`/consulta/${items[1].id}`, "1 respuesta nueva"]);
    await answer(items[0]);
    expect(await line()).toEqual(["/perfil", "2 respuestas nuevas"]);
    await answer(items[1]);
    await app.page(`/consulta/${items[0].id}`, author);
    expect(await line()).toEqual([`/consulta/${items[1].id}`, "2 respuestas nuevas"]);
    await app.page(`/consulta/${items[1].id}`, author);
    expect((await line())![1]).toBe("Tu última consulta: 1 respuesta");
  });

  test("counts after a late reading no answer as new again, and one that came since as new", async () => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    const id = await ask(app, author);
    for (const text of ["Te leo.", "Otra idea."]) await publishAnswer(app, id, psychologist, text);
    const count = async () => (await app.call("GET", "/session", undefined, author)).body.user.new_answers;
    expect(await count()).toBe(2);
    for (const answers_received of [2, 1]) {
      await markListed(app.context.db, author.id, [{ id, answers_received, answer_mail_id: null }]);
      expect(await count()).toBe(0);
    }
    for (const answers_received of [2, 1])
      await markListed(app.context.db, author.id, [{ id, answers_received, answer_mail_id: null }], true);
    const unseen = async () =>
      (await app.call("GET", "/profile/consultations?peek=yes", undefined, author)).body.items[0].new_answers;
    expect(await unseen()).toBe(0);
    // An answer that arrives after the reading stays new.
    await publishAnswer(app, id, psychologist, "Una tercera.");
    const shown = [{ id, answers_received: 2, answer_mail_id: null }];
    await markListed(app.context.db, author.id, shown);
    await markListed(app.context.db, author.id, shown, true);
    expect([await count(), await unseen()]).toEqual([1, 1]);
  });

  test("links to the next page without JavaScript", async () => {
    const author = await app.person();
    await many(author, LIMITS.ownConsultationsPage + 1);
    const first = await app.page("/perfil", author);
    const next = /href="(\/perfil\?cursor=[^"]+)"/.exec(first.text)?.[1];
    const second = await app.page(next!, author);
    const shown = (text: string) =>
      [...text.matchAll(/class="consultation-card__title"><a[^>]* href="\/consulta\/([\w-]+)"/g)].map(([, id]) => id);
    expect([shown(first.text).length, shown(second.text).length]).toEqual([LIMITS.ownConsultationsPage, 1]);
    expect(shown(first.text)).not.toContain(shown(second.text)[0]);
  });
});
