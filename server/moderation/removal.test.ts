import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { consultationVersion } from "#test/versions.ts";

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.admin();
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

const DAY = 86_400_000;
const versionOf = (id: string) => consultationVersion(app, admin, id);
const remove = async (id: string, as: Person | null = admin, version?: string) =>
  app.call("DELETE", `/admin/consultations/${id}`, { version: version ?? (await versionOf(id)) }, as);
const limitOf = async (as: Person) => (await app.call("GET", "/weekly-limit", undefined, as)).body;
const list = async (query = "") => (await app.call("GET", `/admin/consultations${query}`, undefined, admin)).body;

describe("the administrator's deletion", () => {
  test("takes everything along and counts anew what psychologists have", async () => {
    const [author, psychologist] = [await app.person(), await app.person({ type: "psychologist" })];
    const id = await ask(app, author);
    const answer = await app.call("POST", `/consultations/${id}/answers`, { content: "Respuesta" }, psychologist);
    await app.call("POST", `/answers/${answer.body.id}/replies`, { content: "Réplica" }, author);
    await app.call("PUT", `/answers/${answer.body.id}/vote`, { vote: "up" }, author);
    await app.call("PUT", `/consultations/${id}/vote`, { vote: "up" }, author);
    expect((await remove(id)).body).toEqual({ credit_restored: true });
    const [left] = await app.sql(
      `select (select count(*) from consultations where id = $1)::integer as consultations,
         (select count(*) from consultation_votes where consultation_id = $1)::integer as votes,
         (select count(*) from consultation_responses where consultation_id = $1)::integer as answers,
         (select count(*) from consultation_replies where response_id = $2)::integer as replies,
         (select count(*) from response_votes where response_id = $2)::integer as answer_votes`,
      [id, answer.body.id],
    );
    expect(left).toEqual({ consultations: 0, votes: 0, answers: 0, replies: 0, answer_votes: 0 });
    expect(
      await app.sql(
        "select total_responses as answers, total_votes as votes from psychologist_profiles where id = $1",
        [psychologist.id],
      ),
    ).toEqual([{ answers: 0, votes: 0 }]);
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test("lets the author ask again at once, and a new window starts then", async () => {
    const author = await app.person();
    const start = new Date();
    app.setNow(start);
    const id = await ask(app, author);
    app.setNow(new Date(start.getTime() + 3 * DAY));
    expect((await remove(id)).body).toEqual({ credit_restored: true });
    expect(await limitOf(author)).toMatchObject({ used: 0, days_until_reset: 7 });
    await ask(app, author);
    expect(await limitOf(author)).toMatchObject({ used: 1, days_until_reset: 7 });
  });

  test("gives nothing back for a consultation of an earlier window", async () => {
    const author = await app.person();
    const start = new Date();
    app.setNow(start);
    const old = await ask(app, author);
    await app.sql("update sessions set seen_at = $2 where account_id = any($1::uuid[])", [
      [author.id, admin.id],
      new Date(start.getTime() + 6 * DAY),
    ]);
    app.setNow(new Date(start.getTime() + 8 * DAY));
    await ask(app, author);
    expect((await remove(old)).body).toEqual({ credit_restored: false });
    expect((await limitOf(author)).used).toBe(1);
  });

  test("gives nothing back for the administrator's own, or when the author has left", async () => {
    const own = await ask(app, admin);
    expect((await remove(own)).body).toEqual({ credit_restored: false });
    const left = await ask(app, await app.person());
    await app.sql("update consultations set user_id = null where id = $1", [left]);
    expect((await remove(left)).body).toEqual({ credit_restored: false });
  });

  test("of 50 at once one deletes, and the credit goes no lower than zero", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => remove(id)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 410)).toHaveLength(49);
    expect((await limitOf(author)).used).toBe(0);
    expect(await app.sql("select id from audit_log where target_id = $1", [id])).toHaveLength(1);
  });

  test("while the author asks at once again, publishes one at most per credit", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const again = () =>
      app.call(
        "POST",
        "/consultations",
        { title: "Otra pregunta", content: "Un texto de más de veinte caracteres.", country: "Chile" },
        author,
      );
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, again),
      remove(id),
      ...Array.from({ length: 20 }, again),
    ]);
    const made = outcomes.filter(({ status }) => status === 201).length;
    expect(made).toBeLessThanOrEqual(1);
    expect((await limitOf(author)).used).toBe(made);
  });

  test("is written down with the target alone: nothing leads to who wrote it", async () => {
    const author = await app.person({ name: "Quien Preguntó" });
    const id = await ask(app, author);
    const outcome = await remove(id);
    const rows = await app.sql("select * from audit_log where target_id = $1", [id]);
    expect(rows).toMatchObject([{ actor_id: admin.id, action: "consultation_deleted", target_id: id, details: {} }]);
    const everything = JSON.stringify([rows, outcome.body, app.log]);
    for (const secret of [author.id, author.email, author.full_name]) expect(everything).not.toContain(secret);
  });

  test("is refused to everybody else, and what is not there is not found", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    expect((await remove(id, null)).status).toBe(401);
    for (const as of [author, await app.person(), await app.person({ type: "psychologist" })])
      expect((await remove(id, as)).body).toEqual({ code: "admin_only" });
    expect((await remove("00000000-0000-4000-8000-000000000000")).body).toEqual({ code: "consultation_not_found" });
    for (const [as, mayRemove] of [
      [admin, true],
      [author, false],
      [null, false],
    ] as const)
      expect((await app.call("GET", `/consultations/${id}`, undefined, as)).body.viewer.can.remove).toBe(mayRemove);
  });

  test("from the detail page leads home and says that the credit was restored only when it was", async () => {
    const author = await app.person();
    const [first, second] = [await ask(app, author), await ask(app, await app.person())];
    expect((await app.page(`/consulta/${first}`, author)).text).not.toContain("Eliminar consulta");
    expect((await app.page(`/consulta/${first}`, admin)).text).toContain("Eliminar consulta");
    expect((await app.page(`/consulta/${first}/eliminar`, admin)).text).toContain("¿Eliminar esta consulta?");
    const restored = await app.form(`/consulta/${first}/eliminar`, { version: await versionOf(first) }, admin);
    expect([restored.status, restored.headers.get("location")]).toEqual([302, "/"]);
    expect(restored.headers.get("set-cookie")).toContain("notice=consultation_deleted_credit;");
    await app.sql("update consultations set user_id = null where id = $1", [second]);
    const plain = await app.form(`/consulta/${second}/eliminar`, { version: await versionOf(second) }, admin);
    expect(plain.headers.get("set-cookie")).toContain("notice=consultation_deleted;");
    const listed = await app.form(
      "/admin?vista=consultas",
      { decision: "delete", id: first, version: await versionOf(first) },
      admin,
    );
    expect(listed.status).toBe(410);
  });
});

describe("the administrator's list of consultations", () => {
  test("shows ten, newest first, and goes on to the end without repeating or losing any", async () => {
    // Later than anything that the tests above have asked.
    const start = Date.now() + 30 * DAY;
    const ids: string[] = [];
    const authors = await Promise.all(Array.from({ length: 23 }, () => app.person()));
    await app.sql("update sessions set seen_at = $1, expires_at = $2 where account_id = any($3::uuid[])", [
      new Date(start),
      new Date(start + DAY),
      authors.map(({ id }) => id),
    ]);
    for (const [i, author] of authors.entries()) {
      app.setNow(new Date(start + i));
      ids.unshift(await ask(app, author, { title: `Pregunta número ${i}` }));
    }
    app.setNow(null);
    const first = await list();
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
    const all: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list(cursor && `?cursor=${cursor}`);
      all.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    }
    const rows = await app.sql<{ id: string }>("select id from consultations order by created_at desc, id desc");
    expect(all).toEqual(rows.map(({ id }) => id));
  });

  test("finds words of the title or the text in any case, and takes signs as they are", async () => {
    const percent = await ask(app, await app.person(), { title: "Un 100% de cansancio_total" });
    const inText = await ask(app, await app.person(), {
      content: "Solo en el texto está la palabra Zanahoria, dos veces.",
    });
    const found = async (q: string) =>
      (await list(`?q=${encodeURIComponent(q)}`)).items.map((one: { id: string }) => one.id);
    expect(await found("zanahoria")).toEqual([inText]);
    expect(await found("100%")).toEqual([percent]);
    expect(await found("CANSANCIO_")).toEqual([percent]);
    expect(await found("cansancio%total")).toEqual([]);
    expect(await found("\\")).toEqual([]);
  });

  test("searches a bounded stretch, says where it ended, and goes on from there", async () => {
    await app.sql(
      `insert into consultations (title, content, country, is_anonymous, created_at)
       select 'Relleno de prueba', 'Un relleno con más de veinte caracteres', 'Perú', true, now() - interval '1 day' - n * interval '1 second'
       from generate_series(1, $1::integer) n`,
      [LIMITS.adminSearchWindow],
    );
    await app.sql(
      "insert into consultations (title, content, country, is_anonymous, created_at) values ('La aguja en el pajar', 'Un texto con más de veinte caracteres', 'Perú', true, now() - interval '9 days')",
    );
    const near = await list("?q=aguja");
    expect(near.items).toEqual([]);
    expect(near.next_cursor).not.toBeNull();
    const far = await list(`?q=aguja&cursor=${near.next_cursor}`);
    expect(far.items.map((one: { title: string }) => one.title)).toEqual(["La aguja en el pajar"]);
    expect(far.next_cursor).toBeNull();
    await app.sql("delete from consultations where title in ('Relleno de prueba', 'La aguja en el pajar')");
  });

  test("names nobody who asked anonymously", async () => {
    const author = await app.person({ name: "Nombre Secreto" });
    const id = await ask(app, author, { title: "Una canaria en la mina" });
    const answer = await app.call("GET", "/admin/consultations?q=canaria", undefined, admin);
    expect(answer.body.items.find((one: { id: string }) => one.id === id).author_label).toBe("Anónimo");
    const page = await app.page("/admin?vista=consultas&q=canaria", admin);
    for (const secret of [author.id, author.email, author.full_name]) {
      expect(answer.text).not.toContain(secret);
      expect(page.text).not.toContain(secret);
    }
  });

  test("and its page stand behind the guard, with their words", async () => {
    const page = await app.page("/admin?vista=consultas", admin);
    expect(page.text).toContain("Consultas recientes");
    const none = await app.page("/admin?vista=consultas&q=algo-que-nadie-escribe", admin);
    expect(none.text).toContain("Ninguna consulta con «algo-que-nadie-escribe»");
    const refused = await app.page("/admin?vista=consultas", await app.person());
    expect([refused.status, refused.text.includes("Acceso Denegado")]).toEqual([403, true]);
  });
});

describe("the administrator's list of psychologists", () => {
  const names = async (query = "") =>
    (await app.call("GET", `/admin/psychologists${query}`, undefined, admin)).body.items.map(
      (one: { full_name: string }) => one.full_name,
    );

  test("is filtered by state, country and Gold, and goes on to the end", async () => {
    await app.person({ type: "psychologist", name: "Verificada Chile", country: "Chile" });
    await app.person({ type: "psychologist", name: "Pendiente Chile", country: "Chile", verified: false });
    await app.person({ type: "psychologist", name: "Gold Perú", country: "Perú", gold: "active" });
    await app.person({ type: "psychologist", name: "Vencida Perú", country: "Perú", gold: "expired" });
    expect((await names("?country=Chile")).sort()).toEqual(["Pendiente Chile", "Verificada Chile"]);
    expect(await names("?country=Chile&state=verified")).toEqual(["Verificada Chile"]);
    expect(await names("?state=pending")).toEqual(["Pendiente Chile"]);
    expect(await names("?gold=yes")).toEqual(["Gold Perú"]);
    expect(await names("?gold=no&country=Per%C3%BA")).toEqual(["Vencida Perú"]);
    const page = await app.page("/admin?vista=psicologos&gold=si", admin);
    expect(page.text).toContain("Gold Perú");
    expect(page.text).not.toContain("Vencida Perú");
    await Promise.all(Array.from({ length: 25 }, (_, i) => app.person({ type: "psychologist", name: `Otra ${i}` })));
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body }: { body: { items: { id: string }[]; next_cursor: string | null } } = await app.call(
        "GET",
        `/admin/psychologists${cursor && `?cursor=${cursor}`}`,
        undefined,
        admin,
      );
      seen.push(...body.items.map((one: { id: string }) => one.id));
      cursor = body.next_cursor;
    }
    const rows = await app.sql<{ id: string }>(
      "select id from psychologist_profiles order by created_at desc, id desc",
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});

describe("help lines that nobody has checked for 90 days", () => {
  test("are told to the administrator with their date, and to nobody else", async () => {
    // Long after the day on which any of them was checked, with the session kept alive.
    const later = new Date("2030-01-01T00:00:00Z");
    await app.sql("update sessions set seen_at = $2, expires_at = $3 where account_id = $1", [
      admin.id,
      later,
      new Date(later.getTime() + DAY),
    ]);
    app.setNow(later);
    const { body } = await app.call("GET", "/admin/help-lines/overdue", undefined, admin);
    expect(body.length).toBeGreaterThan(10);
    expect(Object.keys(body[0]).sort()).toEqual([
      "country",
      "dial_number",
      "hours",
      "name",
      "official_url",
      "shown_number",
      "verified_on",
    ]);
    const page = await app.page("/admin?vista=ayuda", admin);
    expect(page.text).toContain(`${body.length} líneas esperan una nueva comprobación`);
    expect(page.text).not.toContain("help-lines.json");
    expect((await app.call("GET", "/admin/help-lines/overdue")).status).toBe(401);
  });
});
