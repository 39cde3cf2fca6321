import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { CONSULTATION_SORTS, type ConsultationSort } from "#shared/sorts.ts";
import { openTestApp, type TestApp } from "#test/app.ts";
import { pagesOf } from "#test/lists.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, publishAnswer, publishReply, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();

describe("GET /consultations", () => {
  type Row = {
    id: string;
    country: string;
    category: string | null;
    score: number;
    response_count: number;
    at: string;
  };
  let feed: TestApp;
  let rows: Row[];
  beforeAll(async () => {
    feed = await openTestApp();
    expect((await feed.call("GET", "/consultations")).body).toEqual({ items: [], next_cursor: null });
    // Many rows have the same date, score or number of answers; only the id orders them. Full last pages exist.
    await feed.sql(
      `insert into consultations (title, content, country, category, is_anonymous, upvotes, downvotes, response_count, created_at)
       select 'Consulta número ' || n, 'Un texto de prueba con más de veinte caracteres.', ($1::text[])[1 + n % 3],
         case when n % 5 > 0 then ($2::text[])[n % 5] end, true, n % 4, n % 7, n / 3 % 3,
         '2026-01-01T00:00:00.123Z'::timestamptz + (n / 6) * interval '1 ms'
       from generate_series(1, 200) n`,
      [COUNTRIES, CATEGORIES],
    );
    rows = await feed.sql<Row>(
      "select id, country, category, score, response_count, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as at from consultations",
    );
  });
  afterAll(() => feed.close());

  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  const order: Record<ConsultationSort, (a: Row, b: Row) => number> = {
    recent: (a, b) => compare(b.at, a.at) || compare(b.id, a.id),
    oldest: (a, b) => compare(a.at, b.at) || compare(a.id, b.id),
    votes: (a, b) => compare(b.score, a.score) || order.recent(a, b),
    responses: (a, b) => compare(b.response_count, a.response_count) || order.recent(a, b),
    unanswered: (a, b) => order.recent(a, b),
  };
  const filters = [{}, { category: CATEGORIES[2] }, { country: COUNTRIES[0], category: CATEGORIES[1] }] as {
    country?: string;
    category?: string;
  }[];

  /** Returns the ids of the first rows with a filter, sorted. */
  const expectedBy = (sort: ConsultationSort, { country, category }: (typeof filters)[number] = {}) =>
    rows
      .filter((row) => (!country || row.country === country) && (!category || row.category === category))
      .filter((row) => sort !== "unanswered" || row.response_count === 0)
      .sort(order[sort])
      .map((row) => row.id);

  test.each(CONSULTATION_SORTS)("returns pages of 20 sorted by %s that continue without a gap", async (sort) => {
    for (const filter of filters) {
      const expected = expectedBy(sort, filter);
      // The default order.
      const query = new URLSearchParams(sort === "recent" ? filter : { sort, ...filter });
      const pages = await Array.fromAsync(pagesOf(feed, `/consultations?${query}`));
      expect(pages.flat().map(({ id }) => id)).toEqual(expected);
      expect(pages.slice(0, -1).every(({ length }) => length === 20)).toBe(true);
      expect(pages.at(-1)).toHaveLength(expected.length % 20 || 20);
    }
  });

  test("keeps its country and order in the forms and links of its page without JavaScript", async () => {
    const [country] = COUNTRIES;
    const expected = expectedBy("oldest", { country });
    const read = async (path: string) => {
      const { text } = await feed.page(path);
      const cards = Array.from(text.matchAll(/<article[\s\S]*?href="\/consulta\/([^"]+)"/g), ([, id]) => id);
      return { cards, text: text.replaceAll("&amp;", "&") };
    };
    const { cards, text } = await read(`/?pais=${country}&orden=antiguas`);
    expect(cards).toEqual(expected.slice(0, 20));
    const [, next] = /<a[^>]* href="([^"]*cursor=[^"]*)"[^>]*>Cargar más</.exec(text)!;
    expect((await read(next!)).cards).toEqual(expected.slice(20, 40));
    expect(text).toContain(`href="/?pais=${country}&categoria=Ansiedad&orden=antiguas#consultas"`);
    for (const [select, kept, button] of [
      ["orden", `name="pais" value="${country}"`, "Ordenar"],
      ["pais", 'name="orden" value="antiguas"', "Ver"],
    ]) {
      const form = text
        .match(/<form[\s\S]*?<\/form>/g)!
        .find((one) => /<select[^>]* name="(\w+)"/.exec(one)?.[1] === select);
      expect(form).toContain(kept);
      expect(form).toMatch(new RegExp(`<noscript><button type="submit"[^>]*>${button}<`));
    }
  });

  test.each(CONSULTATION_SORTS)(
    "repeats or skips nothing while new consultations arrive, sorted by %s",
    async (sort) => {
      const seen: string[] = [];
      for await (const items of pagesOf(feed, `/consultations?sort=${sort}`)) {
        seen.push(...items.map(({ id }) => id));
        // Newer than all, older than all, and in the middle, with many votes and with few.
        await feed.sql(
          `insert into consultations (title, content, country, is_anonymous, upvotes, response_count, created_at)
           select 'Recién llegada', 'Un texto de prueba con más de veinte caracteres.', 'Perú', true, n % 5, n % 4,
             ($1::timestamptz[])[1 + n % 3] + n * interval '1 ms' from generate_series(1, 9) n`,
          [["2027-01-01", "2020-01-01", `2026-01-01T00:00:00.${130 + Math.ceil(seen.length / 20)}Z`]],
        );
      }
      await feed.sql("delete from consultations where title = 'Recién llegada'");
      expect(new Set(seen).size).toBe(seen.length);
      const known = new Set(rows.map(({ id }) => id));
      expect(seen.filter((id) => known.has(id))).toEqual(expectedBy(sort));
    },
  );
});

const AT = new Date("2026-03-02T15:04:05.678Z");
test("public times omit the seconds if the item shows no name", async () => {
  app.setNow(AT);
  const [author, reader] = [await app.person(), await app.person()];
  const psychologist = await app.person({ type: "psychologist" });
  const id = await ask(app, author);
  const named = await ask(app, reader, { is_anonymous: false });
  const answer = await publishAnswer(app, id, psychologist);
  await publishReply(app, answer, author);
  await app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating: 5, show_name: false }, reader);
  const { consultation, answers } = (await readConsultation(app, id)).body;
  const [review] = (await app.call("GET", `/psychologists/${psychologist.id}`)).body.reviews;
  for (const item of [consultation, answers[0].replies[0], review])
    expect(item.created_at).toBe("2026-03-02T15:04:00.000Z");
  for (const item of [answers[0], (await readConsultation(app, named)).body.consultation])
    expect(item.created_at).toBe(AT.toISOString());
});

test("GET /consultations/{id} keeps the order of the answers in the links of the page without JavaScript", async () => {
  const psychologist = await app.person({ type: "psychologist", gold: "active" });
  const id = await ask(app, await app.person());
  const answers: string[] = [];
  for (let n = 0; n < 11; n++) answers.push(await publishAnswer(app, id, psychologist));
  const shown = (text: string) => answers.filter((answer) => text.includes(`id="respuesta-${answer}"`));
  const { text } = await app.page(`/consulta/${id}?orden=antiguas`);
  expect(shown(text)).toEqual(answers.slice(0, 10));
  const [, next] = /href="([^"]*[?;]desde=[^"#]+)/.exec(text)!;
  expect(shown((await app.page(next!.replaceAll("&amp;", "&"))).text)).toEqual(answers.slice(10));
});
