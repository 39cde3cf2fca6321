import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CATEGORIES, CONSULTATION_SORTS, COUNTRIES, type ConsultationSort } from "#shared/lists.ts";
import { DAY, HOUR } from "#shared/time.ts";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.admin();
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

/** How many vote at the same moment, a third of them against. */
const CROWD = FULL_RUN ? 300 : 90;
const third = CROWD / 3;

const QUESTION = {
  title: "La misma pregunta",
  content: "Un texto de prueba con más de veinte caracteres.",
  country: "Chile",
};

const create = (author: Person | null, more: Record<string, unknown> = {}) =>
  app.call("POST", "/consultations", { ...QUESTION, ...more }, author);
const vote = (id: string, person: Person | null, value: string) =>
  app.call("PUT", `/consultations/${id}/vote`, { vote: value }, person);
const detail = (id: string, as: Person | null = null, sort = "") =>
  app.call("GET", `/consultations/${id}${sort && `?sort=${sort}`}`, undefined, as);

/** Asks again while the server says that it is overloaded: on a busy machine a crowd may be told so, and writes nothing. */
async function insist<Got extends { status: number }>(ask: () => Promise<Got>): Promise<Got> {
  for (let tries = 0; ; tries++) {
    const got = await ask();
    if (got.status !== 503 || tries === 10) return got;
  }
}

/** Counters in the row beside the votes that they count. */
async function counted(id: string) {
  const [row] = await app.sql<{ upvotes: number; downvotes: number; score: number; up: number; down: number }>(
    `select upvotes, downvotes, score,
       (select count(*)::integer from consultation_votes where consultation_id = c.id and vote_type = 'up') as up,
       (select count(*)::integer from consultation_votes where consultation_id = c.id and vote_type = 'down') as down
     from consultations c where id = $1`,
    [id],
  );
  return row!;
}

describe("asking", () => {
  test("of 50 consultations by one person at once exactly one is published", async () => {
    const author = await app.person();
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => create(author))));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(
      answers.filter((answer) => answer.status === 403 && answer.body.code === "weekly_limit_reached"),
    ).toHaveLength(49);
    expect(await app.sql("select id from consultations where user_id = $1", [author.id])).toHaveLength(1);
    expect(await app.sql("select weekly_consultations_used as n from profiles where id = $1", [author.id])).toEqual([
      { n: 1 },
    ]);
  });

  test.each([
    ["danger", "No quiero seguir viviendo, esta noche me mato. Ya tengo las pastillas en la mano."],
    ["violence", "Mi marido me pega y me amenaza con un cuchillo delante de los chicos."],
    ["abuse", "Mi tío abusaba de mí cuando tenía nueve años y nadie me creyó en mi casa."],
    ["strong words", "Estoy hasta la mierda de este hijo de puta, perdón, no sé cómo decirlo de otra manera."],
    ["how to be found", "Llámame al +54 11 5555 0123 o escríbeme a ayuda@correo.example, por favor."],
    ["markup", "<script>alert(1)</script> <b>así</b> siento la cabeza, [esto](https://ejemplo.example) también."],
  ])("nothing is refused, hidden or changed because of what it says: %s", async (_what, content) => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist" });
    const made = await create(author, { content, country: "Paraguay" });
    expect(made.status).toBe(201);
    const answer = await app.call("POST", `/consultations/${made.body.id}/answers`, { content }, psychologist);
    expect(answer.status).toBe(201);
    expect((await app.call("POST", `/answers/${answer.body.id}/replies`, { content }, author)).status).toBe(201);
    const { body } = await detail(made.body.id);
    expect([body.consultation.content, body.answers[0].content, body.answers[0].replies[0].content]).toEqual([
      content,
      content,
      content,
    ]);
    const feed = await app.call("GET", "/consultations?country=Paraguay", undefined, null);
    expect(feed.body.items.map(({ id }: { id: string }) => id)).toContain(made.body.id);
  });

  test("takes titles of 5 to 140 characters and descriptions of 20 to 5,000, and says so beside the field", async () => {
    const refused = async (more: Record<string, string>, field: string) => {
      const got = await create(await app.person(), more);
      expect([got.status, Object.keys(got.body.fields)]).toEqual([422, [field]]);
    };
    await refused({ title: "abcd" }, "title");
    await refused({ title: "a".repeat(141) }, "title");
    await refused({ content: "a".repeat(19) }, "content");
    await refused({ content: "a".repeat(5001) }, "content");
    for (const more of [
      { title: "abcde", content: "a".repeat(20) },
      { title: "a".repeat(140), content: "á".repeat(5000) },
    ])
      expect((await create(await app.person(), more)).status).toBe(201);
  });

  test("when a window has just ended, of 50 at once exactly one more is published", async () => {
    const author = await app.person();
    const start = new Date();
    app.setNow(start);
    await ask(app, author);
    app.setNow(new Date(start.getTime() + 7 * DAY - 1));
    // Idle for a week: the session itself has to be kept alive.
    await app.sql("update sessions set seen_at = $2 where account_id = $1", [
      author.id,
      new Date(start.getTime() + 6 * DAY),
    ]);
    expect((await create(author)).status).toBe(403);
    app.setNow(new Date(start.getTime() + 7 * DAY));
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => create(author))));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(await app.sql("select id from consultations where user_id = $1", [author.id])).toHaveLength(2);
  });

  test("the second one in a week is refused with the days to wait and the moment they end, and allowed once they have passed", async () => {
    const author = await app.person();
    const start = new Date("2026-05-04T10:00:00.000Z");
    await app.sql("update sessions set created_at = $2, seen_at = $2, expires_at = $3 where account_id = $1", [
      author.id,
      start,
      new Date(start.getTime() + 30 * DAY),
    ]);
    const at = async (passed: number) => {
      app.setNow(new Date(start.getTime() + passed));
      return (await create(author)) as { status: number; body: { code?: string; facts?: Record<string, unknown> } };
    };
    expect((await at(0)).status).toBe(201);
    for (const [passed, days] of [
      [0, 7],
      [HOUR, 7],
      [DAY, 6],
      [3 * DAY + HOUR, 4],
      [6 * DAY + 23 * HOUR, 1],
      [7 * DAY - 1000, 1],
    ] as const) {
      const refused = await at(passed);
      expect(refused.status).toBe(403);
      const until = new Date(start.getTime() + 7 * DAY).toISOString();
      expect(refused.body).toEqual({ code: "weekly_limit_reached", facts: { days_until_reset: days, until } });
      expect((await app.call("GET", "/weekly-limit", undefined, author)).body.resets_at).toBe(until);
    }
    expect((await at(7 * DAY + 1000)).status).toBe(201);
    // A new window began with the second one.
    expect((await at(8 * DAY)).body.facts).toEqual({
      days_until_reset: 7,
      until: new Date(start.getTime() + 14 * DAY + 1000).toISOString(),
    });
  });

  test("a refused attempt counts nothing and writes nothing", async () => {
    const author = await app.person();
    await create(author, { title: "no" });
    await create(author, { country: "Atlántida" });
    expect((await app.call("GET", "/weekly-limit", undefined, author)).body).toMatchObject({
      used: 0,
      max_consultations: 1,
      days_until_reset: 7,
      resets_at: null,
    });
    expect((await create(author)).status).toBe(201);
    expect((await app.call("GET", "/weekly-limit", undefined, author)).body).toMatchObject({
      used: 1,
      max_consultations: 1,
      days_until_reset: 7,
    });
  });

  test("a visitor is asked to sign in", async () => {
    const refused = await create(null);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ code: "sign_in_to_ask" });
  });

  test("psychologists cannot ask, verified, pending or with Gold", async () => {
    for (const options of [{}, { verified: false }, { gold: "active" as const }]) {
      const psychologist = await app.person({ type: "psychologist", ...options });
      const refused = await create(psychologist);
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ code: "psychologists_cannot_ask" });
      expect(await app.sql("select id from consultations where user_id = $1", [psychologist.id])).toEqual([]);
    }
  });

  test.each([
    [
      "anonymous, with a display name that is thrown away",
      { is_anonymous: true, author_name: "Lucía" },
      null,
      "Anónimo",
    ],
    ["anonymous", { is_anonymous: true }, null, "Anónimo"],
    ["anonymous as a form says it", { is_anonymous: "on" }, null, "Anónimo"],
    [
      "with a display name",
      { is_anonymous: false, author_name: "  Lucía   del Mar " },
      "Lucía del Mar",
      "Lucía del Mar",
    ],
    ["with an empty display name", { is_anonymous: false, author_name: "   " }, null, "Nombre Completo"],
    ["without a display name", { is_anonymous: false }, null, "Nombre Completo"],
  ])("a consultation %s", async (_how, more, stored, shown) => {
    const author = await app.person({ name: "Nombre Completo" });
    const id = await ask(app, author, more);
    expect(await app.sql("select author_name from consultations where id = $1", [id])).toEqual([
      { author_name: stored },
    ]);
    for (const as of [null, author, admin]) {
      const { body } = await detail(id, as);
      expect(body.consultation.author_label).toBe(shown);
      expect(body.consultation.is_anonymous).toBe(shown === "Anónimo");
    }
  });

  test.each(["1", 1, "yes", "TRUE", {}, ["on"]].map((wish) => [wish]))(
    "a wish for anonymity in words we do not know (%j) is refused instead of publishing a name",
    async (is_anonymous) => {
      const author = await app.person();
      const refused = await create(author, { is_anonymous });
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.body.fields)).toEqual(["is_anonymous"]);
      expect(await app.sql("select id from consultations where user_id = $1", [author.id])).toEqual([]);
    },
  );

  test("the text keeps its line breaks and loses nothing but spaces around it", async () => {
    const author = await app.person();
    const id = await ask(app, author, {
      title: "  Un   título\n partido ",
      content: "\r\n Primera línea.\r\n\r\n\r\n\r\nSegunda <b>línea</b> & 'comillas' 🙂.  ",
    });
    const { consultation } = (await detail(id)).body;
    expect(consultation.title).toBe("Un título partido");
    expect(consultation.content).toBe("Primera línea.\n\nSegunda <b>línea</b> & 'comillas' 🙂.");
  });
});

describe("voting on a consultation", () => {
  let id: string;
  beforeAll(async () => {
    id = await ask(app, await app.person());
  });

  test("everyone who votes at once is counted", async () => {
    const consultation = await ask(app, await app.person());
    const people = await Promise.all(Array.from({ length: CROWD }, () => app.person()));
    const answers = await Promise.all(
      people.map((person, i) => insist(() => vote(consultation, person, i % 3 ? "up" : "down"))),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await counted(consultation)).toEqual({
      upvotes: 2 * third,
      downvotes: third,
      score: third,
      up: 2 * third,
      down: third,
    });
    const { body } = await detail(consultation);
    expect(body.consultation).toMatchObject({ upvotes: 2 * third, downvotes: third });
  });

  test("one person voting 50 times at once is one vote", async () => {
    const consultation = await ask(app, await app.person());
    const person = await app.person();
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => vote(consultation, person, "up"))));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(answers.every((answer) => answer.body.upvotes === 1)).toBe(true);
    expect(await counted(consultation)).toEqual({ upvotes: 1, downvotes: 0, score: 1, up: 1, down: 0 });
  });

  test("one person changing their mind 60 times at once ends with one vote or none, and the counter agrees", async () => {
    const consultation = await ask(app, await app.person());
    const person = await app.person();
    const wishes = Array.from({ length: 60 }, (_, i) => ["up", "down", "none"][i % 3]!);
    const answers = await Promise.all(wishes.map((wish) => insist(() => vote(consultation, person, wish))));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const row = await counted(consultation);
    expect(row.up + row.down).toBeLessThanOrEqual(1);
    expect([row.upvotes, row.downvotes]).toEqual([row.up, row.down]);
  });

  test("up, down and none set the vote; saying it twice changes nothing", async () => {
    const person = await app.person();
    for (const [wish, upvotes, downvotes, mine] of [
      ["none", 0, 0, null],
      ["up", 1, 0, "up"],
      ["up", 1, 0, "up"],
      ["down", 0, 1, "down"],
      ["down", 0, 1, "down"],
      ["none", 0, 0, null],
      ["none", 0, 0, null],
      ["down", 0, 1, "down"],
      ["up", 1, 0, "up"],
      ["none", 0, 0, null],
    ] as const) {
      const answer = await vote(id, person, wish);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ upvotes, downvotes, vote: mine });
      expect((await detail(id, person)).body.viewer.vote).toBe(mine);
      const row = await counted(id);
      expect([row.upvotes, row.downvotes]).toEqual([row.up, row.down]);
    }
  });

  test("a repeated vote leaves its row as it was", async () => {
    const person = await app.person();
    const rows = () =>
      app.sql("select id, vote_type, created_at from consultation_votes where user_id = $1", [person.id]);
    await vote(id, person, "up");
    const before = await rows();
    await vote(id, person, "up");
    expect(await rows()).toEqual(before);
    await vote(id, person, "none");
  });

  test("a counter that drifted heals with the next vote", async () => {
    await app.sql("update consultations set upvotes = 77, downvotes = 5 where id = $1", [id]);
    const person = await app.person();
    expect((await vote(id, person, "down")).body).toEqual({ upvotes: 0, downvotes: 1, vote: "down" });
    await vote(id, person, "none");
  });

  test("authors vote on their own, as a refusal would reveal them", async () => {
    const author = await app.person();
    const own = await ask(app, author);
    const mine = await vote(own, author, "up");
    const others = await vote(own, await app.person(), "up");
    expect([mine.status, Object.keys(mine.body)]).toEqual([others.status, Object.keys(others.body)]);
  });

  test("a visitor is asked to sign in, for a consultation that exists and for one that does not", async () => {
    for (const target of [id, randomUUID()]) {
      const refused = await vote(target, null, "up");
      expect(refused.status).toBe(401);
      expect(refused.body).toEqual({ code: "sign_in_to_vote" });
    }
  });

  test("a vote on nothing is a 404", async () => {
    const person = await app.person();
    for (const [target, code] of [
      [randomUUID(), "consultation_not_found"],
      ["abc", "not_found"],
    ] as const) {
      const refused = await vote(target, person, "up");
      expect(refused.status).toBe(404);
      expect(refused.body).toEqual({ code });
    }
  });

  test("an id in the body does not turn the vote to another consultation", async () => {
    const person = await app.person();
    const other = await ask(app, await app.person());
    const answer = await app.call("PUT", `/consultations/${id}/vote`, { vote: "up", id: other }, person);
    expect([200, 422]).toContain(answer.status);
    expect((await counted(other)).up).toBe(0);
    await vote(id, person, "none");
  });
});

describe("the feed", () => {
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
    // Many share a date, a score, a number of answers: only the id tells their order.
    await feed.sql(
      `insert into consultations (title, content, country, category, is_anonymous, upvotes, downvotes, response_count, created_at)
       select 'Consulta número ' || n, 'Un texto de prueba con más de veinte caracteres.', ($1::text[])[1 + n % 3],
         case when n % 5 > 0 then ($2::text[])[n % 5] end, true, n % 4, n % 7, n % 3,
         '2026-01-01T00:00:00.123Z'::timestamptz + (n / 6) * interval '1 ms'
       from generate_series(1, 151) n`,
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
  };
  const filters = [
    {},
    { country: COUNTRIES[1] },
    { category: CATEGORIES[2] },
    { country: COUNTRIES[0], category: CATEGORIES[1] },
  ] as { country?: string; category?: string }[];

  /** Reads the list to its end; `between` happens after every page. */
  async function walk(parameters: Record<string, string>, between = async (_page: number) => {}) {
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const query: string = new URLSearchParams({ ...parameters, ...(cursor ? { cursor } : {}) }).toString();
      const { status, body } = await feed.call("GET", `/consultations?${query}`);
      expect(status).toBe(200);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      sizes.push(body.items.length);
      cursor = body.next_cursor;
      await between(sizes.length);
    } while (cursor);
    return { seen, sizes };
  }

  for (const sort of CONSULTATION_SORTS)
    test.each(filters)(
      `sorted by ${sort} with filter %j every page of 20 goes on where the last one ended`,
      async (filter) => {
        const expected = rows
          .filter((row) => !filter.country || row.country === filter.country)
          .filter((row) => !filter.category || row.category === filter.category)
          .sort(order[sort])
          .map((row) => row.id);
        const { seen, sizes } = await walk({ sort, ...filter });
        expect(seen).toEqual(expected);
        expect(sizes.slice(0, -1).every((size) => size === 20)).toBe(true);
        expect(sizes.at(-1)).toBe(expected.length % 20 || 20);
      },
    );

  test("without a sort the newest come first", async () => {
    const [bare, recent] = await Promise.all([
      feed.call("GET", "/consultations"),
      feed.call("GET", "/consultations?sort=recent"),
    ]);
    expect(bare.text).toBe(recent.text);
  });

  test("a page that ends the list exactly leads nowhere further", async () => {
    const { category } = rows.find((row) => row.category)!;
    const have = rows.filter((row) => row.category === category).length;
    await feed.sql(
      "insert into consultations (title, content, country, category, is_anonymous, created_at) select 'Relleno', 'Un texto de prueba con más de veinte caracteres.', 'Panamá', $1, true, '2025-01-01' from generate_series(1, $2)",
      [category, 20 - (have % 20)],
    );
    const { sizes } = await walk({ category: category! });
    expect(sizes.every((size) => size === 20)).toBe(true);
    await feed.sql("delete from consultations where title = 'Relleno'");
  });

  test.each(CONSULTATION_SORTS)(
    "while new ones arrive, sorted by %s, nothing is repeated and nothing skipped",
    async (sort) => {
      const { seen } = await walk({ sort }, async (page) => {
        // Newer than all, older than all, and in the middle, with many votes and with few.
        await feed.sql(
          `insert into consultations (title, content, country, is_anonymous, upvotes, response_count, created_at)
         select 'Recién llegada', 'Un texto de prueba con más de veinte caracteres.', 'Perú', true, n % 5, n % 4,
           ($1::timestamptz[])[1 + n % 3] + n * interval '1 ms' from generate_series(1, 9) n`,
          [["2027-01-01", "2020-01-01", `2026-01-01T00:00:00.${130 + page}Z`]],
        );
      });
      expect(new Set(seen).size).toBe(seen.length);
      const there = new Set(seen);
      expect(rows.filter((row) => !there.has(row.id))).toEqual([]);
      const known = new Set(rows.map((row) => row.id));
      expect(seen.filter((id) => known.has(id))).toEqual([...rows].sort(order[sort]).map((row) => row.id));
      await feed.sql("delete from consultations where title = 'Recién llegada'");
    },
  );

  test("a cursor goes on after what it named has been deleted", async () => {
    const [gone] = await feed.sql<{ id: string }>(
      "insert into consultations (title, content, country, category, is_anonymous, created_at) values ('Se irá pronto', 'Un texto de prueba con más de veinte caracteres.', 'Perú', 'Duelo', true, '2026-02-01') returning id",
    );
    const first = await feed.call("GET", "/consultations");
    expect(first.body.items[0].id).toBe(gone!.id);
    await feed.sql("delete from consultations where id = $1", [first.body.items[19].id]);
    rows = rows.filter((row) => row.id !== first.body.items[19].id);
    const second = await feed.call("GET", `/consultations?cursor=${first.body.next_cursor}`);
    const expected = [...rows].sort(order.recent).map((row) => row.id);
    expect(second.body.items[0].id).toBe(expected[19 - 1]);
    await feed.sql("delete from consultations where id = $1", [gone!.id]);
  });

  test("nothing found is an empty page", async () => {
    expect((await feed.call("GET", `/consultations?country=${encodeURIComponent("Panamá")}`)).body).toEqual({
      items: [],
      next_cursor: null,
    });
  });

  test.each(["country=Atl%C3%A1ntida", "category=Nada", "sort=random", "country=chile", "limit=1000", "author=x"])(
    "?%s is refused beside its field",
    async (query) => {
      const refused = await feed.call("GET", `/consultations?${query}`);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.body.fields)).toEqual([query.split("=")[0]]);
    },
  );

  test("a cursor of one sort is refused by another kind of sort", async () => {
    const byVotes = (await feed.call("GET", "/consultations?sort=votes")).body.next_cursor;
    const byDate = (await feed.call("GET", "/consultations")).body.next_cursor;
    expect((await feed.call("GET", `/consultations?sort=recent&cursor=${byVotes}`)).status).toBe(422);
    expect((await feed.call("GET", `/consultations?sort=votes&cursor=${byDate}`)).status).toBe(422);
  });

  test("an item says nothing but what the contract declares", async () => {
    const { items } = (await feed.call("GET", "/consultations")).body;
    expect(Object.keys(items[0]).sort()).toEqual([
      "author_label",
      "category",
      "content",
      "country",
      "created_at",
      "downvotes",
      "edited_at",
      "id",
      "is_anonymous",
      "response_count",
      "title",
      "upvotes",
    ]);
  });

  test("the community's numbers count consultations, verified psychologists and answers", async () => {
    await feed.person({ type: "psychologist" });
    await feed.person({ type: "psychologist", verified: false });
    // Kept for ten seconds: a later clock sees the new ones.
    feed.setNow(new Date(Date.now() + 60_000));
    const { body } = await feed.call("GET", "/community");
    feed.setNow(null);
    expect(body).toEqual({ consultations: rows.length, psychologists: 1, answers: 0 });
  });
});

describe("one consultation", () => {
  test("an id that names nothing, or is none, is a 404", async () => {
    expect((await detail(randomUUID())).body).toEqual({ code: "consultation_not_found" });
    expect((await detail(randomUUID())).status).toBe(404);
    expect((await detail("1")).status).toBe(404);
  });

  test("only the author reads that it is theirs", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const psychologist = await app.person({ type: "psychologist" });
    for (const [as, mine] of [
      [author, true],
      [null, false],
      [await app.person(), false],
      [psychologist, false],
    ] as const)
      expect((await detail(id, as)).body.viewer.mine).toBe(mine);
  });

  test("answers come newest first, oldest first, or by votes", async () => {
    const id = await ask(app, await app.person());
    const psychologists = await Promise.all(Array.from({ length: 4 }, () => app.person({ type: "psychologist" })));
    const ids: string[] = [];
    for (const [i, psychologist] of psychologists.entries()) {
      app.setNow(new Date(Date.now() + i * 1000));
      const made = await app.call("POST", `/consultations/${id}/answers`, { content: `Respuesta ${i}` }, psychologist);
      expect(made.status).toBe(201);
      ids.push(made.body.id);
    }
    app.setNow(null);
    // Votes: 0 -> -1, 1 -> 2, 2 -> 0, 3 -> 2; of equal ones the newer stands first.
    for (const [index, value] of [
      [0, "down"],
      [1, "up"],
      [1, "up"],
      [3, "up"],
      [3, "up"],
    ] as const)
      await app.call("PUT", `/answers/${ids[index]}/vote`, { vote: value }, await app.person());
    const order = async (sort: string) =>
      (await detail(id, null, sort)).body.answers.map((answer: { id: string }) => ids.indexOf(answer.id));
    expect(await order("")).toEqual([3, 2, 1, 0]);
    expect(await order("recent")).toEqual([3, 2, 1, 0]);
    expect(await order("oldest")).toEqual([0, 1, 2, 3]);
    expect(await order("votes")).toEqual([3, 1, 2, 0]);
    expect((await detail(id)).body.consultation.response_count).toBe(4);
  });
});

describe("what a person may do here is what the API then allows", () => {
  type Role = {
    who: string;
    make(): Promise<Person | null>;
    vote: string;
    answer: string;
    reply: string;
    state: string | null;
  };
  const ok = "";
  const psychologist =
    (options: Parameters<TestApp["person"]>[0], used = 0) =>
    async () => {
      const made = await app.person({ type: "psychologist", ...options });
      await app.sql("update psychologist_profiles set free_responses_used = $2 where id = $1", [made.id, used]);
      return made;
    };
  const asPsychologist = { vote: ok, reply: "psychologists_cannot_reply" };
  const roles: Role[] = [
    {
      who: "a visitor",
      make: async () => null,
      vote: "sign_in_to_vote",
      answer: "sign_in_to_answer",
      reply: "sign_in_to_reply",
      state: null,
    },
    { who: "a user", make: () => app.person(), vote: ok, answer: "only_psychologists_answer", reply: ok, state: null },
    {
      who: "a pending psychologist",
      make: psychologist({ verified: false }),
      ...asPsychologist,
      answer: "not_verified",
      state: "pending",
    },
    {
      who: "a pending psychologist with Gold",
      make: psychologist({ verified: false, gold: "active" }),
      ...asPsychologist,
      answer: "not_verified",
      state: "pending",
    },
    { who: "a verified psychologist", make: psychologist({}), ...asPsychologist, answer: ok, state: "free" },
    {
      who: "a psychologist with one free answer left",
      make: psychologist({}, 2),
      ...asPsychologist,
      answer: ok,
      state: "free",
    },
    {
      who: "a psychologist at the limit",
      make: psychologist({}, 3),
      ...asPsychologist,
      answer: "free_limit_reached",
      state: "limit_reached",
    },
    {
      who: "a Gold psychologist",
      make: psychologist({ gold: "active" }, 3),
      ...asPsychologist,
      answer: ok,
      state: "unlimited",
    },
    {
      who: "a psychologist whose Gold ended, at the limit",
      make: psychologist({ gold: "expired" }, 3),
      ...asPsychologist,
      answer: "free_limit_reached",
      state: "limit_reached",
    },
    {
      who: "a psychologist whose Gold ended, with answers left",
      make: psychologist({ gold: "expired" }, 1),
      ...asPsychologist,
      answer: ok,
      state: "free",
    },
  ];

  let author: Person;
  let id: string;
  let answerId: string;
  beforeAll(async () => {
    author = await app.person();
    id = await ask(app, author);
    const answerer = await app.person({ type: "psychologist" });
    answerId = (await app.call("POST", `/consultations/${id}/answers`, { content: "Una respuesta" }, answerer)).body.id;
    roles.push(
      {
        who: "the author",
        make: async () => author,
        vote: ok,
        answer: "only_psychologists_answer",
        reply: ok,
        state: null,
      },
      {
        who: "the administrator",
        make: async () => admin,
        vote: ok,
        answer: "only_psychologists_answer",
        reply: ok,
        state: null,
      },
    );
  });

  async function expectAgreement({ make, vote: votes, answer, reply, state }: Role) {
    const as = await make();
    const before = (await detail(id, as)).body;
    expect(before.viewer.can).toEqual({
      vote: votes === ok,
      answer: answer === ok,
      reply: reply === ok,
      edit: as === author,
      delete: as === author,
      remove: as === admin,
    });
    expect(before.viewer.answering?.state ?? null).toBe(state);
    const shown = before.answers.find((one: { id: string }) => one.id === answerId);
    expect(shown.viewer.can.vote).toBe(votes === ok);

    const outcomes = [
      [await vote(id, as, "up"), votes, 200],
      [await app.call("PUT", `/answers/${answerId}/vote`, { vote: "up" }, as), votes, 200],
      [await app.call("POST", `/answers/${answerId}/replies`, { content: "Gracias" }, as), reply, 201],
      [await app.call("POST", `/consultations/${id}/answers`, { content: "Otra respuesta" }, as), answer, 201],
    ] as const;
    for (const [outcome, refusal, status] of outcomes)
      if (refusal === ok) expect(outcome.status).toBe(status);
      else {
        expect(outcome.status).toBe(refusal.startsWith("sign_in") ? 401 : 403);
        expect(outcome.body).toEqual({ code: refusal });
      }
    // A psychologist may vote on every answer but the one just written.
    if (answer === ok) {
      const own = outcomes[3][0].body.id;
      const after = (await detail(id, as)).body.answers.find((one: { id: string }) => one.id === own);
      expect(after.viewer.can.vote).toBe(false);
      expect((await app.call("PUT", `/answers/${own}/vote`, { vote: "up" }, as)).body.code).toBe("own_answer_vote");
    }
  }

  test.each(roles.map((role) => [role.who, role] as const))("%s", (_who, role) => expectAgreement(role));

  test.each(["the author", "the administrator"])("%s", (who) =>
    expectAgreement(roles.find((role) => role.who === who)!),
  );
});
