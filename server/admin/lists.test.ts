import { describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { idsIn, pagesOf } from "#test/lists.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
const list = async (query = "") => (await app.call("GET", `/admin/consultations${query}`, undefined, admin)).body;

describe("GET /admin/consultations", () => {
  test("returns 10 per page, newest first, each consultation once", async () => {
    await app.sql(
      `insert into consultations (title, content, country, is_anonymous, created_at)
       select 'Pregunta ' || n, 'Un texto con más de veinte caracteres', 'Perú', true, now() - n / 2 * interval '1 second'
       from generate_series(1, 23) n`,
    );
    const pages = await Array.fromAsync(pagesOf(app, "/admin/consultations", admin));
    expect(pages[0]).toHaveLength(10);
    const rows = await app.sql<{ id: string }>("select id from consultations order by created_at desc, id desc");
    expect(pages.flat().map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test("finds words of title or text in any case, with % and _ as plain characters", async () => {
    const percent = await ask(app, await app.person(), {
      title: "Un 100% de cansancio_total",
      content: "Aquí también se habla de una ZANAHORIA.",
    });
    const inText = await ask(app, await app.person(), {
      content: "Solo en el texto está la palabra Zanahoria, dos veces.",
    });
    const found = async (q: string) =>
      (await list(`?q=${encodeURIComponent(q)}`)).items.map((one: { id: string }) => one.id);
    expect(await found("zanahoria")).toEqual([inText, percent]);
    expect(await found("100%")).toEqual([percent]);
    expect(await found("CANSANCIO_")).toEqual([percent]);
    expect(await found("cansancio%total")).toEqual([]);
    expect(await found("\\")).toEqual([]);
    const { text } = await app.page("/admin/consultas?q=cansancio%25total", admin);
    expect(text).toContain("Ninguna consulta con «cansancio%total»");
  });

  test("searches a bounded range, returns its end, continues from there", async () => {
    // Without triggers, because counting and announcing each row is slow.
    await app.sql(
      `begin;
       set local session_replication_role = replica;
       insert into consultations (title, content, country, is_anonymous, created_at)
       select 'Relleno de prueba', 'Un relleno con más de veinte caracteres', 'Perú', true, now() - interval '1 day' - n * interval '1 second'
       from generate_series(1, ${LIMITS.adminSearchWindow}) n;
       insert into consultations (title, content, country, is_anonymous, created_at)
       values ('La aguja en el pajar', 'Un texto con más de veinte caracteres', 'Perú', true, now() - interval '9 days');
       commit`,
    );
    const near = await list("?q=aguja");
    expect(near.items).toEqual([]);
    expect(near.next_cursor).not.toBeNull();
    const far = await list(`?q=aguja&cursor=${near.next_cursor}`);
    expect(far.items.map((one: { title: string }) => one.title)).toEqual(["La aguja en el pajar"]);
    expect(far.next_cursor).toBeNull();
    await app.sql(
      `begin;
       set local session_replication_role = replica;
       delete from consultations where title in ('Relleno de prueba', 'La aguja en el pajar');
       commit`,
    );
  });
});

test("/admin/consultas links to older consultations, and an empty search to the newest", async () => {
  await Promise.all(Array.from({ length: 11 }, async () => ask(app, await app.person())));
  const page = async (path: string) => (await app.page(path, admin)).text;
  const linkTo = (html: string, words: string) => new RegExp(`href="([^"]*)"[^>]*>${words}<`).exec(html)?.[1];
  const newest = await page("/admin/consultas");
  expect(newest).toContain("Consultas recientes");
  expect(await page(linkTo(newest, "Ver anteriores")!)).toContain("Consultas anteriores");
  expect(linkTo(await page("/admin/consultas?q=inexistente"), "Ver las más recientes")).toBe("/admin/consultas");
});

const names = async (query = "") =>
  (await app.call("GET", `/admin/psychologists${query}`, undefined, admin)).body.items.map(
    (one: { full_name: string }) => one.full_name,
  );

test("GET /admin/psychologists filters by state, country, Gold, with each psychologist once over all pages", async () => {
  await app.person({ type: "psychologist", name: "Verificada Chile", country: "Chile" });
  await app.person({ type: "psychologist", name: "Pendiente Chile", country: "Chile", verified: false });
  await app.person({ type: "psychologist", name: "Gold Perú", country: "Perú", gold: "active" });
  await app.person({ type: "psychologist", name: "Vencida Perú", country: "Perú", gold: "expired" });
  expect((await names("?country=Chile")).sort()).toEqual(["Pendiente Chile", "Verificada Chile"]);
  expect(await names("?country=Chile&state=verified")).toEqual(["Verificada Chile"]);
  expect(await names("?state=pending")).toEqual(["Pendiente Chile"]);
  const { items } = (await app.call("GET", "/admin/psychologists?country=Per%C3%BA", undefined, admin)).body;
  expect(items).toMatchObject([{ has_gold: false }, { full_name: "Gold Perú", has_gold: true }]);
  expect(await names("?gold=yes")).toEqual(["Gold Perú"]);
  expect(await names("?gold=no&country=Per%C3%BA")).toEqual(["Vencida Perú"]);
  // Includes psychologists who never had Gold.
  expect((await names("?gold=no&country=Chile")).sort()).toEqual(["Pendiente Chile", "Verificada Chile"]);
  const page = await app.page("/admin/psicologos?gold=si", admin);
  expect(page.text).toContain("Gold Perú");
  expect(page.text).not.toContain("Vencida Perú");
  await Promise.all(Array.from({ length: 25 }, (_, i) => app.person({ type: "psychologist", name: `Otra ${i}` })));
  const rows = await app.sql<{ id: string }>("select id from psychologist_profiles order by created_at desc, id desc");
  expect(await idsIn(pagesOf(app, "/admin/psychologists", admin))).toEqual(rows.map(({ id }) => id));
});

test("GET /admin/help-lines/overdue lists help lines unchecked for 90 days", async () => {
  // Later than every check of a help line.
  app.setNow(new Date("2030-01-01T00:00:00Z"));
  const { body } = await app.call("GET", "/admin/help-lines/overdue", undefined, admin);
  expect(body.length).toBeGreaterThan(10);
  const keys =
    "channel contact_url cost country dial_number hours kind name official_url reach shown_number verified_on";
  expect(Object.keys(body[0]).sort().join(" ")).toBe(keys);
  const page = await app.page("/admin/ayuda", admin);
  expect(page.text).toContain(`${body.length} líneas esperan una nueva comprobación`);
  expect(page.text).not.toContain("help-lines.json");
});
