/** Stored texts of a psychologist («Mis textos»), in the API and in the forms without JavaScript. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { consentingUser, deleteAccount, tablesContaining } from "#test/own-data.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
let owner: TestUser;
beforeEach(async () => {
  owner = await app.person({ type: "psychologist" });
});

const save = (body: Record<string, unknown>, as: TestUser | null = owner) =>
  app.call("PUT", "/profile/templates", body, as);
const list = async (as: TestUser = owner) => (await app.call("GET", "/profile/templates", undefined, as)).body;
const remove = (id: string, as: TestUser = owner) => app.call("DELETE", `/profile/templates/${id}`, {}, as);

describe("PUT /profile/templates", () => {
  test("stores a text whose title is the first 60 characters of its first line", async () => {
    const content = `${"Muy larga, con 😀 emoji. ".repeat(5)}\n\nY otra línea.`;
    const { id } = (await save({ content })).body;
    const title = [...content].slice(0, 60).join("");
    expect(await list()).toEqual([{ id, title: title.trim(), content }]);
  });

  test("stores the same text once and keeps its title", async () => {
    const { id } = (await save({ title: "Derivar", content: "Busca a alguien cerca." })).body;
    expect((await save({ content: " Busca a alguien cerca. " })).body).toEqual({ id });
    expect(await list()).toEqual([{ id, title: "Derivar", content: "Busca a alguien cerca." }]);
  });

  test("changes the text with the given id, and stores a deleted one again", async () => {
    const { id } = (await save({ content: "Antes" })).body;
    expect((await save({ id, title: "Otro", content: "Después" })).body).toEqual({ id });
    expect(await list()).toEqual([{ id, title: "Otro", content: "Después" }]);
    await remove(id);
    const again = (await save({ id, title: "Otro", content: "Después" })).body.id;
    expect(await list()).toEqual([{ id: again, title: "Otro", content: "Después" }]);
  });

  test("gives the last of 20 places to one of 3 concurrent texts", async () => {
    const person = await app.person({ type: "psychologist" });
    for (let n = 1; n < LIMITS.templates; n++) await save({ content: `Texto ${n}` }, person);
    const answers = await whileRowLocked(
      app,
      "psychologist_profiles",
      person.id,
      [1, 2, 3].map((n) => () => save({ content: `Último ${n}` }, person)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "template_limit_reached")).toHaveLength(2);
    const stored = await list(person);
    expect(stored).toHaveLength(LIMITS.templates);
    // A full list can still be edited.
    expect((await save({ ...stored[0], content: "Cambiado" }, person)).status).toBe(200);
    const unknown = { id: randomUUID(), content: "Con un id que no existe" };
    expect((await save(unknown, person)).body).toMatchObject({ code: "template_limit_reached" });
  });
});

describe("stored texts", () => {
  test("deletes the texts with the account", async () => {
    const person = await consentingUser(app, { type: "psychologist" });
    await save({ content: "Palabrejas guardadas" }, person);
    expect(await tablesContaining(app, "Palabrejas guardadas")).toEqual(["answer_templates"]);
    expect((await deleteAccount(app, person)).status).toBe(200);
    expect(await tablesContaining(app, "Palabrejas guardadas")).toEqual([]);
  });

  test("shows and changes no text of another psychologist", async () => {
    const { id } = (await save({ title: "Privado", content: "Solo para mí." })).body;
    const colleague = await app.person({ type: "psychologist" });
    for (const other of [colleague, await app.person(), admin]) {
      expect(await list(other)).toEqual([]);
      expect((await remove(id, other)).body).toEqual({ done: true });
    }
    await save({ id, title: "Ajeno", content: "Escrito por otra persona." }, colleague);
    expect(await list()).toEqual([{ id, title: "Privado", content: "Solo para mí." }]);
    const consultation = await ask(app, await app.person());
    const titles = async (as: TestUser) =>
      (await readConsultation(app, consultation, as)).body.viewer.answering.templates;
    expect(await titles(owner)).toEqual([{ id, title: "Privado" }]);
    expect(await titles(colleague)).toMatchObject([{ title: "Ajeno" }]);
  });
});

describe("«Mis textos» without JavaScript", () => {
  const textIn = (html: string) => /<textarea[^>]*name="content"[^>]*>([^<]*)/.exec(html)?.[1];

  test("inserts a text after the written one and stores the written one", async () => {
    const { id } = (await save({ title: "Cierre", content: "Un abrazo." })).body;
    const page = `/consulta/${await ask(app, await app.person())}/respuesta`;
    expect((await app.page(page, owner)).text).toMatch(new RegExp(`<button value="${id}"[^>]*name="insert"`));
    const inserted = await app.form(page, { content: "Lo que escribí.", insert: id }, owner);
    expect([inserted.status, textIn(inserted.text)]).toEqual([200, "Lo que escribí.\n\nUn abrazo."]);
    expect(textIn((await app.form(page, { content: "", insert: id }, owner)).text)).toBe("Un abrazo.");
    const saved = await app.form(page, { content: "Lo que escribí.", save: "1" }, owner);
    expect([saved.status, textIn(saved.text)]).toEqual([200, "Lo que escribí."]);
    expect(saved.text).toContain("Guardado en «Mis textos»");
    expect((await list()).map(({ title }: { title: string }) => title)).toEqual(["Cierre", "Lo que escribí."]);
    // Neither publishes an answer, and a refusal keeps the written text.
    const gone = await app.form(page, { content: "Lo que escribí.", insert: owner.id }, owner);
    expect([gone.status, textIn(gone.text)]).toEqual([404, "Lo que escribí."]);
    expect((await app.page(page.replace("/respuesta", ""))).text).toContain("Aún no hay respuestas");
  });

  test("edits and deletes a text on /perfil, and shows a refused one again", async () => {
    const { id } = (await save({ title: "Antes", content: "Un texto para editar." })).body;
    expect((await app.page("/perfil", owner)).text).toContain("Un texto para editar.");
    const refused = await app.form("/perfil", { intent: "save_template", id, title: "Nuevo", content: "x" }, owner);
    expect([refused.status, textIn(refused.text.slice(refused.text.indexOf('id="textos"')))]).toEqual([422, "x"]);
    const untitled = await app.form("/perfil", { intent: "save_template", id, title: "\u2800", content: "Uno" }, owner);
    expect(untitled.text).toMatch(/aria-invalid="true"[^>]*name="title"|name="title"[^>]*aria-invalid="true"/);
    const fields = { id, title: "Nuevo", content: "Editado." };
    const saved = await app.form("/perfil", { intent: "save_template", ...fields }, owner);
    expect([saved.status, saved.headers.get("location")]).toEqual([302, "/perfil#textos"]);
    expect(await list()).toEqual([fields]);
    expect((await app.form("/perfil", { intent: "delete_template", ...fields }, owner)).status).toBe(302);
    expect(await list()).toEqual([]);
  });
});
