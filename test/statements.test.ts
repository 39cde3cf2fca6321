/** The number of statements of a page must not depend on the number of its rows. */
import "./react-warnings.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "./app.ts";
import { setUpTestApp } from "./suite-setup.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

const app = setUpTestApp();
/** The viewers: a visitor, a user who wrote a part of everything, a psychologist, the administrator. */
const viewers: Record<string, TestUser | null> = { visitor: null };

beforeAll(async () => {
  // Fixes the clock, because cached numbers and the time of the last visit would cause additional statements.
  app.setNow(NOW);
  viewers.user = await app.person();
  viewers.psychologist = await app.person({ type: "psychologist", country: "Chile" });
  viewers.admin = await app.admin();
});

/** Inserts many profiles. */
async function crowd(count: number, type: "user" | "psychologist" = "user", country = "Perú"): Promise<string[]> {
  const rows = await app.sql<{ id: string }>(
    "insert into profiles (id, full_name, email, user_type) select gen_random_uuid(), 'Persona ' || n, gen_random_uuid() || '@example.com', $2 from generate_series(1, $1::int) n returning id",
    [count, type],
  );
  const ids = rows.map(({ id }) => id);
  if (type === "psychologist")
    await app.sql(
      "insert into psychologist_profiles (id, license_number, country, verified_at, rating, total_reviews) select unnest($1::uuid[]), 'MP 1', $2, $3, 4, 3",
      [ids, country, NOW],
    );
  return ids;
}

/** Inserts consultations by different authors. The first author is the user. */
async function consultations(count: number, country: string): Promise<string[]> {
  const authors = [viewers.user!.id, ...(await crowd(count))].slice(0, count);
  const rows = await app.sql<{ id: string }>(
    "insert into consultations (title, content, country, is_anonymous, user_id, created_at) select 'Una pregunta de muchas', 'Un texto con más de veinte caracteres.', $2, true, unnest($1::uuid[]), $3 returning id",
    [authors, country, NOW],
  );
  return rows.map(({ id }) => id);
}

/**
 * Inserts a consultation with `answers` answers by different psychologists, each with `replies` replies and the user's
 * vote.
 */
async function discussed(answers: number, replies: number): Promise<string> {
  const [id] = await consultations(1, "Panamá");
  const authors = [viewers.psychologist!.id, ...(await crowd(answers, "psychologist"))].slice(0, answers);
  const rows = await app.sql<{ id: string }>(
    "insert into consultation_responses (consultation_id, psychologist_id, content, created_at) select $1, unnest($2::uuid[]), 'Una respuesta', $3 returning id",
    [id, authors, NOW],
  );
  const people = [viewers.user!.id, ...(await crowd(replies))].slice(0, replies);
  for (const answer of rows) {
    await app.sql(
      "insert into consultation_replies (response_id, user_id, content, created_at) select $1, unnest($2::uuid[]), 'Un comentario', $3",
      [answer.id, people, NOW],
    );
    await app.sql("insert into response_votes (response_id, user_id, vote_type) values ($1, $2, 'up')", [
      answer.id,
      viewers.user!.id,
    ]);
  }
  await app.sql("update consultations set response_count = $2 where id = $1", [id, answers]);
  return id!;
}

/** Inserts a psychologist with a number of answers and reviews. */
async function known(answers: number, reviews: number): Promise<string> {
  const [id] = await crowd(1, "psychologist");
  const asked = await consultations(answers, "Paraguay");
  await app.sql(
    "insert into consultation_responses (consultation_id, psychologist_id, content, created_at) select unnest($1::uuid[]), $2, 'Una respuesta', $3",
    [asked, id, NOW],
  );
  const people = [viewers.user!.id, ...(await crowd(reviews))].slice(0, reviews);
  await app.sql(
    "insert into psychologist_reviews (psychologist_id, user_id, rating, comment, created_at) select $1, unnest($2::uuid[]), 4, 'Una reseña', $3",
    [id, people, NOW],
  );
  return id!;
}

/** Counts the statements of each viewer's request, through the API and as a page. */
async function costs(apiPath: string, pagePath: string): Promise<Record<string, { api: number; page: number }>> {
  const found: Record<string, { api: number; page: number }> = {};
  for (const [name, as] of Object.entries(viewers)) {
    const api = await app.statementsDuring(async () => {
      expect((await app.call("GET", apiPath, undefined, as)).status).toBe(200);
    });
    const page = await app.statementsDuring(async () => {
      expect((await app.page(pagePath, as)).status).toBe(200);
    });
    found[name] = { api: api.length, page: page.length };
  }
  return found;
}

/** Expects the same costs for one row, for ten rows, and for more rows than a page shows. */
async function expectCosts(
  make: (amount: "one" | "ten" | "most") => Promise<{ api: string; page: string }>,
  expected: Record<string, { api: number; page: number }>,
): Promise<void> {
  for (const amount of ["one", "ten", "most"] as const) {
    const paths = await make(amount);
    expect({ amount, ...(await costs(paths.api, paths.page)) }).toEqual({ amount, ...expected });
  }
}

// Each signed-in request has one statement for the session. If a number here grows, every visit becomes slower.
describe("the number of statements", () => {
  test("stays constant for any number of consultations in the feed", async () => {
    const countries = { one: "Uruguay", ten: "México", most: "Ecuador" } as const;
    const counts = { one: 1, ten: 10, most: LIMITS.feedPage + 5 };
    await app.page("/"); // The community's numbers are cached.
    await expectCosts(
      async (amount) => {
        await consultations(counts[amount], countries[amount]);
        const country = encodeURIComponent(countries[amount]);
        return { api: `/consultations?country=${country}`, page: `/?pais=${country}` };
      },
      // One more statement: users see the state of their last question above the list.
      {
        visitor: { api: 1, page: 1 },
        // The user's weekly limit, or the psychologist's panel with the titles of the stored texts.
        user: { api: 2, page: 4 },
        // One more: a checkout whose payment is being confirmed.
        psychologist: { api: 2, page: 6 },
        admin: { api: 2, page: 4 },
      },
    );
  });

  test("stays constant for any number of psychologists in the ranking", async () => {
    const countries = { one: "Uruguay", ten: "México", most: "Ecuador" } as const;
    const counts = { one: 1, ten: 10, most: LIMITS.ranking + 5 };
    await app.page("/");
    await expectCosts(
      async (amount) => {
        const [first] = await crowd(counts[amount], "psychologist", countries[amount]);
        await app.sql("insert into psychologist_reviews (psychologist_id, user_id, rating) values ($1, $2, 5)", [
          first,
          viewers.user!.id,
        ]);
        const country = encodeURIComponent(countries[amount]);
        return { api: `/psychologists?country=${country}`, page: `/?vista=ranking&pais=${country}` };
      },
      {
        visitor: { api: 1, page: 1 },
        // The viewer's reviews of the listed psychologists.
        user: { api: 3, page: 4 },
        psychologist: { api: 3, page: 7 },
        admin: { api: 3, page: 4 },
      },
    );
  });

  test("stays constant for any number of answers and replies of a consultation", async () => {
    const counts = { one: 1, ten: 10, most: LIMITS.answersPage + 5 };
    await expectCosts(
      async (amount) => {
        const id = await discussed(counts[amount], amount === "most" ? 20 : counts[amount]);
        return { api: `/consultations/${id}`, page: `/consulta/${id}` };
      },
      {
        // The page also shows related consultations.
        visitor: { api: 3, page: 5 },
        // The viewer's vote, votes on answers, replies, and whether the consultation is theirs.
        user: { api: 8, page: 10 },
        psychologist: { api: 10, page: 12 },
        admin: { api: 8, page: 10 },
      },
    );
  });

  test("stays constant for any number of answers and reviews of a psychologist", async () => {
    const counts = { one: 1, ten: 10, most: LIMITS.profileReviews + 5 };
    await expectCosts(
      async (amount) => {
        const id = await known(counts[amount], counts[amount]);
        return { api: `/psychologists/${id}`, page: `/psicologo/${id}` };
      },
      {
        visitor: { api: 3, page: 3 },
        // The viewer's own review.
        user: { api: 5, page: 5 },
        psychologist: { api: 5, page: 5 },
        admin: { api: 5, page: 5 },
      },
    );
  });
});
