import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { messageVersion } from "#test/versions.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const MESSAGE = { name: "Rosa Luna", email: "Rosa@Example.com", message: "Una pregunta sobre la página." };
const send = (as: TestUser | null, more: Partial<typeof MESSAGE> & { key?: string } = {}) =>
  app.call("POST", "/contact", { ...MESSAGE, ...more }, as);
const inbox = async () => (await app.call("GET", "/admin/messages", undefined, admin)).body;
const handle = async (as: TestUser | null, id: string) =>
  app.call("PUT", `/admin/messages/${id}/handling`, { version: await messageVersion(app, admin, id) }, as);

describe("POST /contact", () => {
  test("stores messages of visitors, users and psychologists without their accounts", async () => {
    await app.sql("delete from contact_messages");
    const person = await app.person();
    for (const as of [null, person, await app.person({ type: "psychologist", verified: false })])
      expect((await send(as, as === person ? { name: "Otro nombre" } : {})).status).toBe(201);
    // The same press counts once, although its sender has signed out since.
    const press = { key: "una", name: "La misma" };
    for (const as of [person, null]) expect((await send(as, press)).status).toBe(201);
    expect((await inbox()).waiting.length).toBe(4);
    expect((await inbox()).waiting[0]).toMatchObject({ name: "Rosa Luna", email: "rosa@example.com" });
    // Nothing identifies the sender's account.
    const [row] = await app.sql<Record<string, unknown>>("select * from contact_messages where name = 'Otro nombre'");
    expect(JSON.stringify(row)).not.toContain(person.id);
    expect(JSON.stringify(row)).not.toContain(person.email);
  });

  test("responds 422 to invalid fields with an error at each", async () => {
    for (const wrong of [
      { name: "R", email: "nada", message: "corto" },
      { name: "a".repeat(81), message: "a".repeat(5001) },
    ]) {
      const refused = await send(null, wrong);
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, Object.keys(wrong)]);
    }
  });

  test("shows a form with the user's name and email, or an empty one to a visitor", async () => {
    const person = await app.person({ name: "Lucía Prado" });
    const filled = await app.page("/contacto", person);
    expect(filled.text).toContain('value="Lucía Prado"');
    expect(filled.text).toContain(`value="${person.email}"`);
    expect((await app.page("/contacto")).text).not.toContain('value="Lucía Prado"');
    expect(filled.text).not.toContain("con Gold, primero");
    const gold = await app.person({ type: "psychologist", gold: "active" });
    expect((await app.page("/contacto", gold)).text).toContain("con Gold, primero");
  });

  test("works without JavaScript", async () => {
    const sent = await app.form("/contacto", MESSAGE);
    expect(sent.headers.get("location")).toBe("/contacto?enviado=1");
    expect((await app.page("/contacto?enviado=1")).text).toContain("¡Mensaje enviado!");
  });

  test("appears as a link in the footer of every page", async () => {
    for (const path of ["/", "/home", "/terms"]) expect((await app.page(path)).text).toContain('href="/contacto"');
  });
});

describe("administrator's inbox", () => {
  test("lists messages of Gold members first, then the oldest", async () => {
    await app.sql("delete from contact_messages");
    const start = Date.now();
    const gold = await app.person({ type: "psychologist", gold: "active" });
    const expired = await app.person({ type: "psychologist", gold: "expired" });
    const order: [string, TestUser | null][] = [
      ["first", null],
      ["second", expired],
      ["third", gold],
      ["fourth", null],
      ["fifth", gold],
    ];
    for (const [i, [name, as]] of order.entries()) {
      app.setNow(new Date(start + i * 1000));
      expect((await send(as, { name })).status).toBe(201);
    }
    app.setNow(null);
    const { waiting } = await inbox();
    expect(waiting.map(({ name }: { name: string }) => name)).toEqual(["third", "fifth", "first", "second", "fourth"]);
    expect(waiting.map(({ from_gold }: { from_gold: boolean }) => from_gold)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    // The number of the tab includes messages that the list omits.
    await app.sql(
      "insert into contact_messages (name, email, message, from_gold, created_at) select 'Rosa', 'a@b.example', 'Una pregunta larga.', false, now() from generate_series(1, 20)",
    );
    expect((await inbox()).waiting.length).toBe(20);
    expect((await app.call("GET", "/admin/summary", undefined, admin)).body.messages).toBe(25);
    expect((await app.page("/admin/mensajes", admin)).text).toContain("25 mensajes esperan");
  });

  test("marks a message as handled once for 10 concurrent requests and writes an audit entry", async () => {
    await app.sql("delete from contact_messages");
    await send(null, { name: "Primero" });
    await send(null, { name: "Una vez" });
    const [{ id: first }, { id }] = (await inbox()).waiting;
    const answers = await Promise.all(Array.from({ length: 10 }, () => handle(admin, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "no_rows_updated")).toHaveLength(9);
    const audit = await app.sql("select actor_id, action, details from audit_log where target_id = $1", [id]);
    expect(audit).toEqual([{ actor_id: admin.id, action: "message_handled", details: {} }]);
    await handle(admin, first);
    const after = await inbox();
    expect(after.waiting).toEqual([]);
    // The last handled one comes first.
    expect(after.handled).toMatchObject([{ id: first }, { id, handled_at: expect.any(String) }]);
  });

  test("works without JavaScript", async () => {
    await send(null, { name: "Por formulario" });
    const { id } = (await inbox()).waiting.at(-1);
    const form = { intent: "handle", id, version: await messageVersion(app, admin, id) };
    const sent = await app.form("/admin/mensajes", form, admin);
    expect(sent.headers.get("location")).toBe("/admin/mensajes");
    expect((await inbox()).waiting.map((each: { id: string }) => each.id)).not.toContain(id);
  });
});
