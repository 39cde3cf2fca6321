import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

const visit = (id: string, as: Person | null = null, browser = "A browser/1.0") =>
  app.call("POST", `/psychologists/${id}/views`, {}, as, { "user-agent": browser });
const viewCount = async (as: Person) => (await app.call("GET", `/psychologists/${as.id}/views`, undefined, as)).body;
const statistics = (id: string, as: Person | null) => app.call("GET", `/psychologists/${id}/statistics`, undefined, as);
const profile = async (id: string, as: Person | null = null) =>
  (await app.call("GET", `/psychologists/${id}`, undefined, as)).body;
/** Keeps a session alive wherever the clock of a test is. */
const keepSession = (as: Person, at: Date) =>
  app.sql("update sessions set seen_at = $2, expires_at = $3 where account_id = $1", [
    as.id,
    at,
    new Date(at.getTime() + 30 * DAY),
  ]);

/** A psychologist whose numbers in the ranking are given. */
async function ranked(country: string, numbers: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const person = await app.person({ type: "psychologist", country, ...options });
  await app.sql(
    "update psychologist_profiles set rating = $2, total_reviews = $3, total_responses = $4 where id = $1",
    [person.id, numbers.rating ?? null, numbers.reviews ?? 0, numbers.answers ?? 0],
  );
  return person;
}

describe("the ranking", () => {
  const ids = async (country?: string, as: Person | null = null) =>
    (
      await app.call("GET", `/psychologists${country ? `?country=${encodeURIComponent(country)}` : ""}`, undefined, as)
    ).body.map(({ id }: { id: string }) => id) as string[];

  test("goes by rating, then Gold, then reviews, then answers; who has no review stands last", async () => {
    const inPanama = (numbers: Record<string, unknown>, options = {}) => ranked("Panamá", numbers, options);
    const unreviewed = await inPanama({ answers: 500 }, { gold: "active" });
    const low = await inPanama({ rating: 1, reviews: 900, answers: 900 }, { gold: "active" });
    const few = await inPanama({ rating: 4.8, reviews: 2, answers: 50 });
    const many = await inPanama({ rating: 4.8, reviews: 3, answers: 1 });
    const busy = await inPanama({ rating: 4.8, reviews: 3, answers: 2 });
    const gold = await inPanama({ rating: 4.8, reviews: 1 }, { gold: "active" });
    const goldOnce = await inPanama({ rating: 4.8, reviews: 1 }, { gold: "expired" });
    const best = await inPanama({ rating: 4.9, reviews: 1 });
    await inPanama({ rating: 5, reviews: 1 }, { verified: false });
    expect(await ids("Panamá")).toEqual([best, gold, busy, many, few, goldOnce, low, unreviewed].map(({ id }) => id));
  });

  test("shows ten at most, and of one country only that country's", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => ranked("Ecuador", { rating: 3, reviews: at + 1 })));
    const shown = (await app.call("GET", "/psychologists?country=Ecuador")).body;
    expect(shown.map((one: { total_reviews: number }) => one.total_reviews)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(new Set(shown.map((one: { country: string }) => one.country))).toEqual(new Set(["Ecuador"]));
    expect(await ids()).toHaveLength(10);
    expect((await app.call("GET", "/psychologists?country=Atlántida")).status).toBe(422);
  });

  test("leaves out who has fewest answers where everything else is equal, whatever their ids", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => ranked("México", { rating: 3, reviews: 1 })));
    const byId = made.map(({ id }) => id).sort();
    await app.sql(
      "update psychologist_profiles set total_responses = array_position($1::uuid[], id) where id = any($1)",
      [byId],
    );
    expect(await ids("México")).toEqual(byId.toReversed().slice(0, 10));
  });

  test("takes the same number of statements however many stand in it, signed in or not", async () => {
    const viewer = await app.person();
    await ranked("Venezuela", { rating: 5, reviews: 1 });
    const asVisitor = () => app.statementsDuring(() => ids("Venezuela"));
    const asViewer = () => app.statementsDuring(() => ids("Venezuela", viewer));
    const one = [await asVisitor(), await asViewer()];
    for (let more = 0; more < 9; more++) await ranked("Venezuela", { rating: 4, reviews: more });
    const ten = [await asVisitor(), await asViewer()];
    expect(await ids("Venezuela")).toHaveLength(10);
    expect(one[0]!.filter((text) => text.includes("verified_psychologists"))).toHaveLength(1);
    expect(ten.map((list) => list.length)).toEqual(one.map((list) => list.length));
  });

  test("is read in the order of an index, whatever the number of psychologists", async () => {
    await app.sql(
      `insert into profiles (id, full_name, email, user_type)
         select ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Psicóloga ' || n, n || '@muchas.example.com', 'psychologist' from generate_series(1, 20000) n`,
    );
    await app.sql(
      `insert into psychologist_profiles (id, license_number, country, verified_at, rating, total_reviews)
         select ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'MP 1', 'Paraguay', now(), 1 + (n % 40) / 10.0, n % 50 from generate_series(1, 20000) n`,
    );
    await app.sql("analyze psychologist_profiles, profiles");
    for (const where of ["", "where country = 'Paraguay'"]) {
      const plan = await app.sql<{ "QUERY PLAN": string }>(
        `explain select id from visible.verified_psychologists ${where}
           order by rating desc nulls last, coalesce(gold_until > now(), false) desc, total_reviews desc, total_responses desc, id limit 10`,
      );
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(text).toContain("Incremental Sort");
      expect(text).toContain(where ? "psychologist_profiles_country_ranking_idx" : "psychologist_profiles_ranking_idx");
    }
    await app.sql("delete from profiles where email like '%@muchas.example.com'");
  });

  test("tells a viewer whom they may review, and what they wrote; no one else", async () => {
    const reviewed = await ranked("Uruguay", {});
    const viewer = await app.person();
    await app.call("PUT", `/psychologists/${reviewed.id}/review`, { rating: 4, comment: "Bien" }, viewer);
    const entry = async (as: Person | null) =>
      (await app.call("GET", "/psychologists?country=Uruguay", undefined, as)).body.find(
        ({ id }: { id: string }) => id === reviewed.id,
      ).viewer;
    expect(await entry(viewer)).toMatchObject({ can: { review: true }, review: { rating: 4, comment: "Bien" } });
    expect(await entry(null)).toEqual({ can: { review: false }, review: null });
    expect(await entry(await app.person())).toEqual({ can: { review: true }, review: null });
    expect(await entry(reviewed)).toEqual({ can: { review: false }, review: null });
  });

  test("has a tab of its own, and only that is loaded; an empty list says so", async () => {
    const author = await app.person();
    await ask(app, author, { title: "Una consulta que está en la lista" });
    const consultations = await app.page("/");
    expect(consultations.text).toContain("Una consulta que está en la lista");
    expect(consultations.text).not.toContain('class="ranking"');
    const ranking = await app.page("/?vista=ranking");
    expect(ranking.text).toContain('class="ranking"');
    expect(ranking.text).not.toContain("Una consulta que está en la lista");
    expect((await app.page("/?vista=ranking&pais=Colombia")).text).toContain(
      "No hay psicólogos registrados en Colombia.",
    );
    const statements = await app.statementsDuring(() => app.page("/"));
    expect(statements.filter((text) => text.includes("consultations"))).not.toEqual([]);
    expect(statements.filter((text) => text.includes("verified_psychologists"))).toEqual([]);
  });
});

describe("without anyone", () => {
  test("the ranking says so, and names no country", async () => {
    const empty = await openTestApp();
    try {
      expect((await empty.page("/?vista=ranking")).text).toContain("No hay psicólogos registrados aún.");
    } finally {
      await empty.close();
    }
  });
});

describe("a public profile", () => {
  test("shows what the psychologist wrote, with safe addresses", async () => {
    const { id } = await app.person({ type: "psychologist", country: "México", gold: "active" });
    await app.sql(
      "update psychologist_profiles set license_number = '11482907', phone = '+52 33 5555 0182', whatsapp = '+52 (33) 5555-0182', website = 'https://ejemplo.example/citas', bio = 'Una biografía' where id = $1",
      [id],
    );
    expect(await profile(id)).toMatchObject({
      license_badge: "Cédula profesional 11482907",
      links: {
        website: { href: "https://ejemplo.example/citas", label: "ejemplo.example" },
        phone: "tel:+523355550182",
        whatsapp: "https://wa.me/523355550182",
      },
    });
    const { text } = await app.page(`/psicologo/${id}`);
    for (const words of [
      "Cédula profesional 11482907",
      "Verificado",
      "Membresía Gold",
      "Una biografía",
      'href="https://wa.me/523355550182"',
      'href="tel:+523355550182"',
      'href="https://ejemplo.example/citas" rel="nofollow ugc noopener noreferrer"',
    ])
      expect(text).toContain(words);
  });

  test.each(["javascript:alert(document.domain)", "data:text/html,<script>1</script>", "https://a@evil.example"])(
    "links to no %s",
    async (website) => {
      const { id } = await app.person({ type: "psychologist" });
      await app.sql("update psychologist_profiles set website = $2 where id = $1", [id, website]);
      expect(await profile(id)).toMatchObject({ website: null, links: { website: null } });
      expect((await app.page(`/psicologo/${id}`)).text).not.toContain(website);
    },
  );

  test("of who is not verified says so, and names no date", async () => {
    const { id } = await app.person({ type: "psychologist", verified: false });
    expect(await profile(id)).toMatchObject({ is_verified: false, verified_at: null, license_badge: "MP 1234" });
    const { text } = await app.page(`/psicologo/${id}`);
    expect(text).toContain("Pendiente de verificación");
    expect(text).not.toContain("Matrícula verificada el");
  });

  test("shows the last ten answers and the fifty newest reviews", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    for (let at = 0; at < 12; at++) {
      const of = await ask(app, await app.person(), { title: `Consulta número ${at}` });
      await app.call("POST", `/consultations/${of}/answers`, { content: "Una respuesta" }, psychologist);
    }
    const reviewers = await Promise.all(Array.from({ length: 52 }, () => app.person()));
    const start = Date.now();
    for (const [at, person] of reviewers.entries()) {
      app.setNow(new Date(start + at * 1000));
      await app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating: 5, comment: `Reseña ${at}` }, person);
    }
    const shown = await profile(psychologist.id);
    expect(shown.answers.map((one: { consultation: { title: string } }) => one.consultation.title)).toEqual(
      Array.from({ length: 10 }, (_, at) => `Consulta número ${11 - at}`),
    );
    expect(shown.reviews.map((one: { comment: string }) => one.comment)).toEqual(
      Array.from({ length: 50 }, (_, at) => `Reseña ${51 - at}`),
    );
    expect(shown.total_reviews).toBe(52);
    // Whose review is too old for the list may still correct it.
    expect((await profile(psychologist.id, reviewers[0])).viewer.review.comment).toBe("Reseña 0");
  });

  test("that does not exist is said so, with a way home", async () => {
    for (const path of [`/psicologo/${randomUUID()}`, "/psicologo/nadie"]) {
      const page = await app.page(path);
      expect(page.status).toBe(404);
      expect(page.text).toContain("Psicólogo no encontrado");
      expect(page.text).toContain("Volver al inicio");
    }
  });
});

describe("visits of a profile", () => {
  test("count once a day for each visitor, and never the owner's", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    app.setNow(noon);
    await keepSession(owner, noon);
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [owner.id]);
    await visit(owner.id);
    expect(await viewCount(owner)).toBe(1);
    await visit(owner.id);
    expect(await viewCount(owner)).toBe(1);
    await visit(owner.id, null, "Another browser/1.0");
    expect(await viewCount(owner)).toBe(2);
    // Signing in makes no one someone else.
    await visit(owner.id, await app.person());
    for (const browser of ["A browser/1.0", "The owner's own/1.0"]) await visit(owner.id, owner, browser);
    await visit(owner.id.toUpperCase(), owner, "The owner's own/2.0");
    expect(await viewCount(owner)).toBe(2);
    app.setNow(new Date(noon.getTime() + DAY));
    await visit(owner.id);
    expect(await viewCount(owner)).toBe(3);
  });

  test("are answered the same to everyone, with the same statements, whether they count or not", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const seen: unknown[] = [];
    const asked: string[][] = [];
    const look = async (as: Person | null = null) => {
      asked.push(
        await app.statementsDuring(async () => {
          const { status, headers, text } = await visit(owner.id, as);
          seen.push({ status, text, headers: [...headers].filter(([name]) => name !== "date") });
        }),
      );
    };
    await look();
    await look();
    expect(await viewCount(owner)).toBe(1);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ status: 200, text: "true" });
    expect(asked[1]).toEqual(asked[0]);
    await look(owner);
    expect(seen[2]).toEqual(seen[0]);
  });

  test("of one visitor 50 times at once count once, of 50 visitors at once 50 times", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    await Promise.all(Array.from({ length: 50 }, () => visit(owner.id)));
    expect(await viewCount(owner)).toBe(1);
    await Promise.all(Array.from({ length: 50 }, (_, at) => visit(owner.id, null, `Browser ${at}`)));
    expect(await viewCount(owner)).toBe(51);
    const [rows] = await app.sql(
      `select (select count(*)::integer from profile_views where psychologist_id = $1) as marks,
         (select sum(views)::integer from profile_view_days where psychologist_id = $1) as views`,
      [owner.id],
    );
    expect(rows).toEqual({ marks: 51, views: 51 });
  });

  test("are recorded by no rendering of the page", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    await app.page(`/psicologo/${owner.id}`);
    await app.page(`/psicologo/${owner.id}.data`);
    expect(await viewCount(owner)).toBe(0);
  });

  test("leave no address and no browser behind, and marks differ from day to day", async () => {
    const owner = await app.person({ type: "psychologist" });
    const noon = new Date("2026-03-02T12:00:00Z");
    app.setNow(noon);
    await visit(owner.id, null, "Canary/1.0");
    app.setNow(new Date(noon.getTime() + DAY));
    await visit(owner.id, null, "Canary/1.0");
    const marks = await app.sql<{ viewed_on: Date; viewer_hash: Buffer }>(
      "select viewed_on, viewer_hash from profile_views where psychologist_id = $1",
      [owner.id],
    );
    expect(marks).toHaveLength(2);
    expect(marks[0]!.viewer_hash.equals(marks[1]!.viewer_hash)).toBe(false);
    for (const { viewer_hash } of marks) {
      expect(viewer_hash).toHaveLength(32);
      expect(viewer_hash.includes("127.0.0.1")).toBe(false);
      expect(viewer_hash.includes("Canary")).toBe(false);
    }
    expect(app.log.join("")).not.toContain("Canary");
  });

  test("of a missing profile are a 404", async () => {
    for (const id of [randomUUID(), (await app.person()).id])
      expect((await visit(id)).body).toEqual({ code: "psychologist_not_found" });
    expect((await visit("nadie")).status).toBe(404);
  });
});

describe("statistics", () => {
  test.each([
    ["a visitor", null, 401, "sign_in_required"],
    ["a user", {}, 403, "own_statistics_only"],
    ["another psychologist with Gold", { type: "psychologist", gold: "active" }, 403, "own_statistics_only"],
  ] as const)("are refused to %s", async (_who, options, status, code) => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const as = options && (await app.person(options));
    for (const answer of [
      await statistics(owner.id, as),
      await app.call("GET", `/psychologists/${owner.id}/views`, undefined, as),
    ])
      expect([answer.status, answer.body]).toEqual([status, { code }]);
    expect((await profile(owner.id, as)).viewer.can.see_statistics).toBe(false);
  });

  test.each(["none", "expired"] as const)(
    "need Gold that is active, not %s; the page offers it instead",
    async (gold) => {
      const owner = await app.person({ type: "psychologist", gold });
      for (const path of ["statistics", "views"]) {
        const answer = await app.call("GET", `/psychologists/${owner.id}/${path}`, undefined, owner);
        expect([answer.status, answer.body]).toEqual([403, { code: "statistics_need_gold" }]);
      }
      const { text } = await app.page(`/psicologo/${owner.id}`, owner);
      expect(text).toContain('href="/planes"');
      expect(text).not.toContain('id="estadisticas"');
    },
  );

  test("tell the owner what came in on each of ninety days, and in all", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const today = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    app.setNow(today);
    await keepSession(owner, today);
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [owner.id]);
    const of = await ask(app, await app.person());
    const made = await app.call("POST", `/consultations/${of}/answers`, { content: "Una respuesta" }, owner);
    const voters = await Promise.all(Array.from({ length: 3 }, () => app.person()));
    for (const [at, voter] of voters.entries())
      await app.call("PUT", `/answers/${made.body.id}/vote`, { vote: at === 0 ? "down" : "up" }, voter);
    await app.sql("update response_votes set created_at = $2 where response_id = $1", [made.body.id, today]);
    await app.call("PUT", `/psychologists/${owner.id}/review`, { rating: 5 }, voters[0]);
    await visit(owner.id);
    await app.sql(
      "insert into profile_view_days (psychologist_id, viewed_on, views) select $1, $2::date - n, n from unnest(array[1, 89, 90]) n",
      [owner.id, today.toISOString().slice(0, 10)],
    );
    const { body } = await statistics(owner.id, owner);
    expect(body).toMatchObject({ visits: 1 + 1 + 89 + 90, answers: 1, reviews: 1, votes: 1 });
    expect(body.days).toHaveLength(90);
    const day = (ago: number) => new Date(today.getTime() - ago * DAY).toISOString().slice(0, 10);
    const nothing = { visits: 0, answers: 0, reviews: 0, votes: 0 };
    expect(body.days.at(-1)).toEqual({ date: day(0), visits: 1, answers: 1, reviews: 1, votes: 1 });
    expect(body.days.at(-2)).toEqual({ ...nothing, date: day(1), visits: 1 });
    expect(body.days.at(-3)).toEqual({ ...nothing, date: day(2) });
    expect(body.days[0]).toEqual({ ...nothing, date: day(89), visits: 89 });
    expect(body.days.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 90 }, (_, at) => day(89 - at)),
    );
  });

  test("stand on the owner's page as numbers, pictures and a table, for 30 or 90 days", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    await visit(owner.id);
    const month = (await app.page(`/psicologo/${owner.id}`, owner)).text;
    expect(month).toContain("Visitas al perfil");
    expect(month.match(/<svg class="chart"/g)).toHaveLength(4);
    expect(month).toContain("Visitas por día en los últimos 30 días: 1 en total");
    expect(month.match(/<th scope="row">/g)).toHaveLength(30);
    const quarter = (await app.page(`/psicologo/${owner.id}?dias=90`, owner)).text;
    expect(quarter.match(/<th scope="row">/g)).toHaveLength(90);
    expect((await app.page(`/psicologo/${owner.id}`)).text).not.toContain('id="estadisticas"');
  });
});
