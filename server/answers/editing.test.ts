import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { openThread, postAnswer, postReply, publishReply, putVote, readConsultation, totalsOf } from "#test/threads.ts";

const app = setUpTestApp();

const detail = async (id: string, as: TestUser | null = null) => (await readConsultation(app, id, as)).body;

/** A consultation with an answer and a reply, each by a different user. */
async function talk() {
  const thread = await openThread(app);
  const replier = await app.person();
  return { ...thread, replier, reply: await publishReply(app, thread.answer, replier) };
}

type Talk = Awaited<ReturnType<typeof talk>>;
type Writer = "author" | "psychologist" | "replier";

const sorted = (of: { consultation: string }) => `/consulta/${of.consultation}?orden=antiguas`;

/** Both types of texts, with their author. */
const KINDS = [
  ["answers", "answer", "psychologist", "respuesta"],
  ["replies", "reply", "replier", "comentario"],
] as const;

describe.each(KINDS)("own %s", (path, item, writer, address) => {
  const shown = async (of: Talk, as: TestUser | null = null) => {
    const [answer] = (await detail(of.consultation, as)).answers;
    return path === "answers" ? answer : answer?.replies[0];
  };

  test("marks a text as edited only if the content changed", async () => {
    const of = await talk();
    expect((await app.call("GET", `/${path}/${of[item]}`, undefined, of[writer])).body).toMatchObject({
      id: of[item],
      consultation_id: of.consultation,
    });
    const edit = (content: string) => app.call("PATCH", `/${path}/${of[item]}`, { content }, of[writer]);
    await edit((await shown(of)).content);
    expect((await shown(of)).edited_at).toBeNull();
    expect((await edit("  Corregido  ")).status).toBe(200);
    expect(await shown(of)).toMatchObject({
      content: "Corregido",
      // Replies are anonymous, so their times are cut to the minute.
      edited_at: expect.stringMatching(item === "reply" ? /:00\.000Z$/ : /Z$/),
    });
    // The server compares an edit that waits for another edit with the text of that edit.
    const table = path === "answers" ? "consultation_responses" : "consultation_replies";
    const edits = ["Otra idea", "Corregido"].map((content) => () => edit(content));
    await whileRowLocked(app, table, of[item], edits);
    expect((await shown(of)).content).toBe("Corregido");
  });

  test("deletes once for 12 concurrent requests and responds 410 to the other 11", async () => {
    const of = await talk();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => app.call("DELETE", `/${path}/${of[item]}`, {}, of[writer])),
    );
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status, body }) => status === 410 && body.code === "gone")).toHaveLength(11);
    expect(await shown(of)).toBeUndefined();
    const gone = await app.call("GET", `/${path}/${of[item]}`, undefined, of[writer]);
    expect([gone.status, gone.body]).toEqual([410, { code: "gone" }]);
    expect((await app.page(`/${address}/${of[item]}/editar`, of[writer])).status).toBe(410);
  });

  test("edits and deletes without JavaScript, then redirects to the place of the text in the consultation", async () => {
    const of = await talk();
    const edit = `/${address}/${of[item]}/editar`;
    const form = (await app.page(edit, of[writer])).text.replaceAll("<!-- -->", "");
    for (const text of [
      `<title>Editar ${address} ·`,
      `Tu ${address}`,
      `${path === "answers" ? "editada" : "editado"}.`,
      "Guardar cambios",
    ])
      expect(form).toContain(text);
    const refused = await app.form(edit, { content: "x" }, of[writer]);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Escribe al menos 2 caracteres.");
    const saved = await app.form(edit, { content: "Corregido en la página" }, of[writer]);
    expect([saved.status, saved.headers.get("location")]).toEqual([
      302,
      `/consulta/${of.consultation}?${address}=${of[item]}#${address}-${of[item]}`,
    ]);
    expect((await app.page(`/consulta/${of.consultation}`)).text).toContain("Corregido en la página");
    // A form in the consultation keeps its order.
    const inPlace = await app.form(edit, { content: "Corregido" }, of[writer], { referer: `${app.url}${sorted(of)}` });
    expect(inPlace.headers.get("location")).toBe(`${sorted(of)}#${address}-${of[item]}`);
    const ask = `/${address}/${of[item]}/eliminar`;
    const confirmation = (await app.page(ask, of[writer])).text;
    for (const text of [`<title>Eliminar ${address} ·`, `¿Eliminar tu ${address}?`])
      expect(confirmation).toContain(text);
    expect((await app.page(ask)).headers.get("location")).toBe(`/auth?volver=${ask}`);
    const deleted = await app.form(ask, {}, of[writer]);
    const place = path === "answers" ? "#respuestas" : `?respuesta=${of.answer}#respuesta-${of.answer}`;
    expect([deleted.status, deleted.headers.get("location")]).toEqual([302, `/consulta/${of.consultation}${place}`]);
    expect(await shown(of)).toBeUndefined();
  });
});

const TEXT = "Lo pensé mucho antes de escribirlo.";
const CLOSED = "Ya no se puede publicar aquí";
/** Forms with a text: its writer, path and field, and the message if the consultation was deleted. */
const FORMS: [what: string, Writer, path: (of: Talk) => string, field: string, message?: string][] = [
  ["a question", "author", () => "/nueva-consulta", "content"],
  [
    "an answer",
    "psychologist",
    (of) => `/consulta/${of.consultation}/respuesta`,
    "content",
    "Esta consulta ya no existe",
  ],
  ["a reply", "replier", (of) => `/respuesta/${of.answer}/comentario`, "content", CLOSED],
  ["a corrected answer", "psychologist", (of) => `/respuesta/${of.answer}/editar`, "content", CLOSED],
  ["a corrected reply", "replier", (of) => `/comentario/${of.reply}/editar`, "content", CLOSED],
  ["a corrected question", "author", (of) => `/consulta/${of.consultation}/editar`, "content", CLOSED],
  ["a biography", "psychologist", () => "/perfil", "bio"],
  ["a review", "replier", (of) => `/psicologo/${of.psychologist.id}/resena`, "comment"],
];
const inTextarea = new RegExp(`<textarea[^>]*>[^<]*${TEXT}</textarea>`);

describe("text that cannot be published", () => {
  test.each(FORMS)("%s stays in the form without JavaScript if the session ended", async (_, writer, pathOf, field) => {
    const of = await talk();
    await app.sql("delete from sessions where account_id = $1", [of[writer].id]);
    const page = await app.form(pathOf(of), { [field]: TEXT }, of[writer]);
    expect(page.status).toBe(401);
    expect(page.text).toMatch(inTextarea);
    expect(page.text).toMatch(/<a [^>]*href="\/auth[?"][^>]*>Iniciar Sesión/);
  });

  test.each(FORMS.filter(([what]) => /question|biography|review/.test(what)))(
    "%s stays in the form without JavaScript if another field is refused",
    async (_, writer, pathOf, field) => {
      const of = await talk();
      const page = await app.form(pathOf(of), { [field]: TEXT, title: "", full_name: "" }, of[writer]);
      expect(page.status).toBe(422);
      expect(page.text).toMatch(inTextarea);
    },
  );

  test.each(FORMS.filter((form) => form.length === 5))(
    "%s stays in the form if the consultation was deleted, with a message for its author",
    async (_, writer, pathOf, field, message) => {
      const of = await talk();
      const path = pathOf(of);
      expect((await app.page(path, of[writer])).status).toBe(200);
      await app.call("DELETE", `/consultations/${of.consultation}`, {}, of.author);
      const fields = { [field]: TEXT, title: "Un título entero", country: "Chile" };
      const page = await app.form(path, fields, of[writer]);
      expect(page.status).toBe(410);
      expect(page.text).toContain(message);
      expect(page.text).toMatch(inTextarea);
      // The same request from a page with JavaScript.
      const inPlace = await app.form(`${path}.data`, fields, of[writer]);
      expect([inPlace.status, inPlace.text.includes(message!)]).toEqual([410, true]);
      // A reader gets the message for readers.
      const forReaders = "Si buscabas compañía";
      const reader = await app.page(path, of[writer]);
      expect([page.text, reader.text].map((text) => text.includes(forReaders))).toEqual([false, true]);
      expect(reader.status).toBe(410);
    },
  );

  test("a review stays in the form if the psychologist deleted the account", async () => {
    const [reviewer, psychologist] = [await app.person(), await app.person({ type: "psychologist" })];
    await app.sql("delete from profiles where id = $1", [psychologist.id]);
    const page = await app.form(`/psicologo/${psychologist.id}/resena`, { rating: "4", comment: TEXT }, reviewer);
    expect(page.status).toBe(404);
    expect(page.text).toMatch(inTextarea);
  });
});

test("shows the forms to answer or reply only to users who may use them", async () => {
  const of = await talk();
  const page = async (path: string, as: TestUser) => (await app.page(path, as)).status;
  const reply = `/respuesta/${of.answer}/comentario`;
  const answer = `/consulta/${of.consultation}/respuesta`;
  expect([await page(reply, of.replier), await page(answer, of.psychologist)]).toEqual([200, 200]);
  expect([await page(reply, of.psychologist), await page(answer, of.replier)]).toEqual([403, 403]);
  const refused = await app.page(reply, of.psychologist);
  expect(refused.text).toContain("Los psicólogos no pueden crear replies, solo respuestas principales");
  expect(refused.text).not.toContain("<textarea");
  for (const nowhere of [randomUUID(), "ninguna"]) {
    expect(await page(`/respuesta/${nowhere}/comentario`, of.replier)).toBe(404);
    expect(await page(`/consulta/${nowhere}/respuesta`, of.psychologist)).toBe(404);
  }
  await app.call("DELETE", `/answers/${of.answer}`, {}, of.psychologist);
  expect(await page(reply, of.replier)).toBe(410);
});

test("deletes an answer with its replies and votes, recounts, restores no free answer", async () => {
  const of = await talk();
  await putVote(app, "answers", of.answer, of.author);
  const other = await app.person({ type: "psychologist" });
  const remove = (path: string, as: TestUser) => app.call("DELETE", path, {}, as);
  /** Publishes a text and deletes another one at the same time. */
  const both = async (table: string, id: string, ...starts: (() => ReturnType<typeof remove>)[]) => {
    const made = await whileRowLocked(app, table, id, starts);
    expect(made.map(({ status }) => status)).toEqual([201, 200]);
    return detail(of.consultation);
  };
  const reply = () => postReply(app, of.answer, of.author);
  const replied = await both("consultation_responses", of.answer, reply, () =>
    remove(`/replies/${of.reply}`, of.replier),
  );
  expect(replied.answers[0].reply_count).toBe(1);
  const answer = () => postAnswer(app, of.consultation, other);
  const { consultation, answers } = await both("consultations", of.consultation, answer, () =>
    remove(`/answers/${of.answer}`, of.psychologist),
  );
  expect([consultation.response_count, answers.length]).toEqual([1, 1]);
  expect(await totalsOf(app, of.psychologist)).toMatchObject({ answers: 0, votes: 0, used: 1 });
  expect(await app.sql("select id from response_votes where response_id = $1", [of.answer])).toEqual([]);
  expect((await app.call("DELETE", `/replies/${of.reply}`, {}, of.replier)).body).toEqual({ code: "gone" });
});
