import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutAccents } from "#shared/accents.ts";
import { excerpt } from "#shared/excerpt.ts";
import type { SearchView } from "#shared/search.ts";
import type { TestUser } from "./app.ts";
import { removalSteps } from "./removals.ts";
import { SEARCH_CORPUS } from "./search-corpus.ts";
import { HOSTILE_QUERIES, SEARCH_QUERIES } from "./search-queries.ts";
import { setUpAdmin, setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, resetWeeklyLimit } from "./threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

/** Inserts the corpus. @returns the key of each consultation by its id */
async function insertCorpus(): Promise<Map<string, string>> {
  const rows = await app.sql<{ id: string; title: string }>(
    `insert into consultations (title, content, country, category, is_anonymous, response_count, created_at)
     select title, content, (array['Chile', 'Perú', 'México'])[1 + n % 3], (array['Ansiedad', 'Familia'])[1 + n % 2], true,
       n % 2, '2026-01-01'::timestamptz + n * interval '1000 seconds'
     from unnest($1::text[], $2::text[]) with ordinality as t (title, content, n)
     returning id, title`,
    [SEARCH_CORPUS.map(({ title }) => title), SEARCH_CORPUS.map(({ content }) => content)],
  );
  return new Map(rows.map(({ id, title }) => [id, SEARCH_CORPUS.find((text) => text.title === title)!.key]));
}

const find = async (q: string, more: Record<string, string> = {}): Promise<SearchView> => {
  const { status, body } = await app.call("GET", `/search?${new URLSearchParams({ q, ...more })}`);
  expect([q, status]).toEqual([q, 200]);
  return body;
};
const idsOf = ({ items }: SearchView) => items.map(({ id }) => id);

const newWord = () =>
  `zafa${randomUUID()
    .replaceAll("-", "")
    .replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!)}`;
const page = async (path: string) => (await app.page(path)).text;

let keys: Map<string, string>;
beforeAll(async () => {
  keys = await insertCorpus();
});

describe("GET /search", () => {
  test("finds every expected consultation among the first five, and names the corrected words", async () => {
    for (const [q, ...expected] of SEARCH_QUERIES) {
      const found = idsOf(await find(q)).map((id) => keys.get(id));
      expect(found.slice(0, 5), q).toEqual(expect.arrayContaining(expected));
    }
    expect((await find("imsomnio")).corrected).toEqual(["insomnio"]);
    expect((await page("/buscar?q=imsomnio")).replaceAll("<!-- -->", "")).toContain("También buscamos «insomnio».");
  });

  test("finds with filters exactly the consultations of the country, category and number of answers", async () => {
    const all = (await find("mi")).items;
    expect(all).toEqual([]);
    const { items } = await find("ansiedad");
    for (const [more, fits] of [
      [{ country: "Chile" }, (one) => one.country === "Chile"],
      [{ category: "Familia" }, (one) => one.category === "Familia"],
      [{ answered: "yes" }, (one) => one.response_count > 0],
    ] satisfies [Record<string, string>, (one: SearchView["items"][number]) => boolean][]) {
      const expected = items.filter(fits).map(({ id }) => id);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(items.length);
      expect(idsOf(await find("ansiedad", more)).sort(), JSON.stringify(more)).toEqual(expected.sort());
    }
    const answered = items.filter(({ response_count }) => response_count > 0).length;
    const link = /<a [^>]*href="([^"]+)"[^>]*>Con respuesta</.exec(await page("/buscar?q=ansiedad"))![1]!;
    expect(link).toBe("/buscar?q=ansiedad&amp;respuestas=si");
    const html = await page(link.replace("&amp;", "&"));
    const count = `${answered} consultas hablan de algo parecido`;
    for (const shown of [`<title>ansiedad: ${count} · Diván</title>`, `<p>${count}</p>`, "<mark>"])
      expect(html.replaceAll("<!-- -->", "")).toContain(shown);
  });

  const insert = (count: number, word: string) =>
    app.sql(
      `insert into consultations (title, content, country, is_anonymous)
       select $1 || ' número ' || n, 'Un texto de prueba con más de veinte caracteres.', 'Chile', true from generate_series(1, $2) n`,
      [word, count],
    );

  test("returns full pages of 20 without a gap, and no empty one at the end", async () => {
    const word = newWord();
    await app.person({ type: "psychologist", name: `Ana ${word}` });
    await insert(40, word);
    const [first, second] = [await find(word), await find(word, { cursor: "2" })];
    expect([first.total, first.psychologists.length]).toEqual([40, 1]);
    expect([second.total, second.psychologists.length, second.next_cursor]).toEqual([40, 0, null]);
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(40);
    const statusOf = async (page: number) => (await app.call("GET", `/search?q=${word}&cursor=${page}`)).status;
    expect([await statusOf(2), await statusOf(3), await statusOf(21)]).toEqual([200, 404, 422]);
    const beyond = await app.page(`/buscar?q=${word}&cursor=3`);
    expect([beyond.status, beyond.headers.get("location")]).toEqual([302, `/buscar?q=${word}`]);
  });

  test("counts 400 consultations exactly, and returns the first 20 pages of 401", async () => {
    const word = newWord();
    for (const [more, total] of [
      [400, 400],
      [1, 401],
    ] as const) {
      await insert(more, word);
      const last = await find(word, { cursor: "20" });
      expect([last.total, last.items.length, last.next_cursor]).toEqual([total, 20, null]);
    }
  });

  test("responds 200 to hostile queries", async () => {
    for (const q of HOSTILE_QUERIES) {
      await find(q);
      const { status, text } = await app.page(`/buscar?${new URLSearchParams({ q })}`);
      expect([q, status]).toEqual([q, 200]);
      expect(text).not.toContain("<script>alert(1)");
    }
  });

  test("returns marked words as parts, and a title with a tag unchanged", async () => {
    const word = newWord();
    const title = `<script>alert("${word}")</script>`;
    const inside = newWord();
    const content = `Comienza ${"un texto largo con muchas palabras ".repeat(20)}que contiene ${inside} casi al final.`;
    await ask(app, await app.person(), { title, content });
    const { items } = await find(word);
    expect(items[0]!.content_parts).toEqual([excerpt(content)]);
    expect((await find("Comienza contiene")).items[0]!.content_parts.slice(0, 2)).toEqual(["", "Comienza"]);
    const [before, match] = (await find(inside)).items[0]!.content_parts;
    expect([before!.slice(0, 2), match]).toEqual(["… ", inside]);
    expect(items[0]!.title_parts).toEqual(['<script>alert("', word, '")</script>']);
    const html = await page(`/buscar?q=${word}`);
    expect(html).toContain(`&lt;script&gt;alert(&quot;<mark>${word}</mark>&quot;)&lt;/script&gt;`);
    expect(html).not.toContain("<script>alert");
  });

  test("finds nothing by the name or the display name of an author", async () => {
    const [name, nickname] = [newWord(), newWord()];
    const author = await app.person({ name: `Rosa ${name}` });
    const words = newWord();
    for (const more of [
      { is_anonymous: true },
      { is_anonymous: false },
      { is_anonymous: false, author_name: nickname },
    ]) {
      await resetWeeklyLimit(app, author);
      await ask(app, author, { ...more, title: `Una consulta ${words}` });
    }
    expect((await find(words)).total).toBe(3);
    for (const q of [name, nickname, `Rosa ${name}`]) {
      const { total, psychologists } = await find(q);
      expect([q, total, psychologists]).toEqual([q, 0, []]);
      expect((await app.call("GET", `/search/suggestions?q=${q}`)).body).toEqual([]);
    }
  });

  test("finds an edited text by its new words only", async () => {
    const author = await app.person();
    const [title, content] = [newWord(), newWord()];
    const id = await ask(app, author, { title: `Consulta ${title}`, content: `Una pregunta sobre ${content}.` });
    let fields = { title: `Consulta ${title}`, content: `Otra pregunta sobre ${newWord()}.`, country: "Perú" };
    for (const [old, change] of [
      [content, {}],
      [title, { title: `Consulta ${newWord()}` }],
    ] as const) {
      fields = { ...fields, ...change };
      await app.call("PATCH", `/consultations/${id}`, { ...fields, is_anonymous: true }, author);
      expect((await find(old)).total).toBe(0);
      for (const text of [fields.title, fields.content])
        expect(idsOf(await find(text.match(/zafa\w+/)![0]))).toEqual([id]);
    }
  });

  test("finds the texts with one of two words if none has both, with two of three, and with quoted words in order", async () => {
    const [one, two, three] = [newWord(), newWord(), newWord()];
    const ids = [];
    for (const words of [one, two, `${two} ${three}`, `${three} ${two}`])
      ids.push(await ask(app, await app.person(), { title: `Consulta ${words}` }));
    ids.push(await ask(app, await app.person(), { content: `Un texto que contiene ${two} y también ${three}.` }));
    expect(idsOf(await find(`puedo ${one}`))).toEqual([ids[0]]);
    // More words precede a word of the title.
    expect(idsOf(await find(`${two} ${three}`)).slice(2)).toEqual([ids[4], ids[1]]);
    expect(idsOf(await find(`${one} ${two}`)).toSorted()).toEqual(ids.toSorted());
    expect(idsOf(await find(`${one} ${two} ${three}`)).toSorted()).toEqual(ids.slice(2).toSorted());
    expect(idsOf(await find(`"${two} ${three}"`))).toEqual([ids[2]]);
  });

  test("finds a consultation as answered from its first answer until the deletion of its last", async () => {
    const word = newWord();
    const id = await ask(app, await app.person(), { title: `Consulta ${word}` });
    const answered = async () => (await find(word, { answered: "yes" })).total;
    expect(await answered()).toBe(0);
    const author = await app.person({ type: "psychologist" });
    const answer = await publishAnswer(app, id, author);
    expect(await answered()).toBe(1);
    await app.call("DELETE", `/answers/${answer}`, {}, author);
    expect(await answered()).toBe(0);
  });

  test("finds no consultation that its author deleted or the administrator removed", async () => {
    for (const remove of [
      (id: string, author: Awaited<ReturnType<typeof app.person>>) =>
        app.call("DELETE", `/consultations/${id}`, {}, author),
      (id: string) => removalSteps(app, admin).remove(id),
    ]) {
      const author = await app.person();
      const word = newWord();
      const id = await ask(app, author, { title: `Consulta ${word}` });
      expect(idsOf(await find(word))).toEqual([id]);
      expect((await app.call("GET", `/search/suggestions?q=${word}`)).body).toHaveLength(1);
      expect((await remove(id, author)).status).toBeLessThan(300);
      expect((await find(word)).total).toBe(0);
      expect((await app.call("GET", `/search/suggestions?q=${word}`)).body).toEqual([]);
      expect((await app.call("POST", "/search/similar", { title: word })).body).toEqual([]);
    }
  });

  test("finds verified psychologists by name, specialty and country, and no others", async () => {
    const name = newWord();
    const peruvian = { type: "psychologist", name: `Álvaro ${name}`, country: "Perú" } as const;
    const verified = await app.person({ ...peruvian, gold: "expired" });
    await app.person({ ...peruvian, verified: false });
    const better = await app.person({ ...peruvian, gold: "active" });
    await app.sql("update psychologist_profiles set rating = case id when $1 then 5 else 4 end where id in ($1, $2)", [
      better.id,
      verified.id,
    ]);
    for (const q of [`alvaro ${name}`, `${name} perú`, `ÁLVARO ${name}`])
      expect((await find(q)).psychologists.map(({ id }) => id)).toEqual([better.id, verified.id]);
    expect((await find(name)).psychologists.map(({ has_gold }) => has_gold)).toEqual([true, false]);
    expect(await page(`/buscar?q=${name}`)).toContain("Psicología Clínica · Perú");
    expect((await find(`${name} Chile`)).psychologists).toEqual([]);
  });

  test("finds a psychologist with and without the accents of the name, and by the licence number", async () => {
    const found = async (q: string) => (await find(q)).psychologists.map(({ id }) => id);
    for (const first of ["Mònica", "Gonçalves", "Çağla"]) {
      const name = newWord();
      const { id } = await app.person({ type: "psychologist", name: `${first} ${name}` });
      for (const q of [`${first} ${name}`, `${withoutAccents(first)} ${name}`])
        expect([q, await found(q)]).toEqual([q, [id]]);
    }
    const { id } = await app.person({ type: "psychologist" });
    await app.sql("update psychologist_profiles set license_number = 'MN 73.452 (CABA)' where id = $1", [id]);
    for (const q of ["MN 73.452 (CABA)", "mn73452", "matrícula 73452"]) expect([q, await found(q)]).toEqual([q, [id]]);
    for (const q of ["MN 73453", "tengo 73 años y peso 452 kilos"]) expect([q, await found(q)]).toEqual([q, []]);
  });

  test("shows the help lines for words of danger", async () => {
    expect((await find("quiero morir")).in_danger).toBe(true);
    expect((await find("no puedo dormir")).in_danger).toBe(false);
    expect(await page("/buscar?q=quiero+morir")).toContain("Si hoy se hace muy difícil, llama");
    expect(await page("/buscar?q=quiero+morir&pais=Chile")).toMatch(/href="tel:[^"]+"/);
    // The user's own country has priority over the filter.
    const author = await app.person();
    await ask(app, author, { country: "Uruguay" });
    const { text } = await app.page("/buscar?q=quiero+morir&pais=Chile", author);
    expect(text).toContain('href="tel:08000767"');
    expect(text).not.toContain("/ayuda?pais=Chile");
    // A page without results shows them only once.
    expect((await page("/buscar?q=quiero+morir&pais=Panamá")).split("Si hoy se hace muy difícil, llama")).toHaveLength(
      2,
    );
  });

  test("shows on a page without results the help lines and the next step", async () => {
    const word = newWord();
    const html = await page(`/buscar?q=${word}`);
    expect(html).toContain("No encontramos nada parecido");
    expect(html).toContain("Si hoy se hace muy difícil, llama");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).toContain('href="/auth?modo=registro&amp;volver=/nueva-consulta"');
    expect(html).not.toContain("Quitar los filtros");
    const of = async (as: TestUser) =>
      (await app.page(`/buscar?q=${word}&categoria=Duelo&pais=Chile&respuestas=si`, as)).text;
    const filtered = await of(await app.person());
    expect(filtered).toMatch(new RegExp(`href="/buscar\\?q=${word}"[^>]*>Quitar los filtros`));
    expect(filtered).toContain('href="/nueva-consulta"');
    expect(await of(await app.person({ type: "psychologist" }))).not.toContain("Nueva Consulta");
    // A pressed filter removes itself, and "Todas" removes all but the country.
    for (const [name, left] of [
      ["Duelo", "&respuestas=si"],
      ["Con respuesta", "&categoria=Duelo"],
      ["Todas", ""],
    ])
      expect(filtered.replaceAll("&amp;", "&")).toMatch(
        new RegExp(`href="/buscar\\?q=${word}&pais=Chile${left}"[^>]*>${name}<`),
      );
  });
});

test("suggests titles with the typed words and the beginning of the last one", async () => {
  const titles = async (q: string) =>
    (await app.call("GET", `/search/suggestions?${new URLSearchParams({ q })}`)).body.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles("ataques de pá")).toEqual(["Ataques de pánico en el metro"]);
  const newest = SEARCH_CORPUS.filter(({ key }) => key.startsWith("anxiety")).reverse();
  expect(await titles("ansi")).toEqual(newest.map(({ title }) => title));
  expect(await titles("insom")).toEqual(["Llevo semanas con insomnio"]);
  expect(await titles("i")).toEqual([]);
  for (const q of HOSTILE_QUERIES) await titles(q);
});

describe("similar consultations", () => {
  test("returns at most 5 for a draft, the most similar first", async () => {
    const draft = {
      title: "Tuve un ataque de panico",
      content: "Fue en el metro, no podía respirar y pensé que me moría.",
    };
    const { status, body } = await app.call("POST", "/search/similar", draft);
    expect(status).toBe(200);
    expect(body.length).toBeLessThanOrEqual(5);
    expect(["panic1", "panic2"]).toContain(keys.get(body[0].id));
  });

  test("shows other consultations about the same on the page of one", async () => {
    const [id] = [...keys].find(([, key]) => key === "panic1")!;
    const { body } = await app.call("GET", `/consultations/${id}/related`);
    const found = body.map((one: { id: string }) => keys.get(one.id));
    expect(found).toContain("panic2");
    expect(found).not.toContain("panic1");
    expect(await page(`/consulta/${id}`)).toContain("Tuve un ataque de pánico manejando");
  });
});
