import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask } from "#test/threads.ts";

const app = setUpTestApp();

async function ranked(country: string, numbers: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const person = await app.person({ type: "psychologist", country, ...options });
  await app.sql(
    "update psychologist_profiles set rating = $2, total_reviews = $3, total_responses = $4 where id = $1",
    [person.id, numbers.rating ?? null, numbers.reviews ?? 0, numbers.answers ?? 0],
  );
  return person;
}

describe("GET /psychologists", () => {
  const ids = async (country?: string, as: TestUser | null = null) =>
    (
      await app.call("GET", `/psychologists${country ? `?country=${encodeURIComponent(country)}` : ""}`, undefined, as)
    ).body.map(({ id }: { id: string }) => id) as string[];

  test("sorts by rating, Gold, reviews, answers, with unreviewed psychologists last", async () => {
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

  test("returns the best 10, and only psychologists of the given country", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => ranked("Ecuador", { rating: 3, reviews: at + 1 })));
    await ranked("Ecuador", { answers: 900 }, { gold: "active" });
    const shown = (await app.call("GET", "/psychologists?country=Ecuador")).body;
    expect(shown.map((one: { total_reviews: number }) => one.total_reviews)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(new Set(shown.map((one: { country: string }) => one.country))).toEqual(new Set(["Ecuador"]));
    expect(await ids()).toHaveLength(10);
    expect((await app.call("GET", "/psychologists?country=Atlántida")).status).toBe(422);
  });

  test("returns a viewer's review only to that viewer", async () => {
    const reviewed = await ranked("Uruguay", {});
    const viewer = await app.person();
    await app.call("PUT", `/psychologists/${reviewed.id}/review`, { rating: 4, comment: "Bien" }, viewer);
    const entry = async (as: TestUser | null) =>
      (await app.call("GET", "/psychologists?country=Uruguay", undefined, as)).body.find(
        ({ id }: { id: string }) => id === reviewed.id,
      ).viewer;
    expect(await entry(viewer)).toMatchObject({ review: { rating: 4, comment: "Bien" } });
    for (const other of [null, await app.person(), reviewed]) expect(await entry(other)).toEqual({ review: null });
    const rate = `href="/psicologo/${reviewed.id}#escribir"`;
    for (const [as, offered] of [
      [null, true],
      [viewer, true],
      [reviewed, false],
    ] as const)
      expect((await app.page("/?vista=ranking", as)).text.includes(rate)).toBe(offered);
  });

  test("loads only for its own tab", async () => {
    await app.person({ type: "psychologist" });
    const author = await app.person();
    await ask(app, author, { title: "Una consulta que está en la lista" });
    const consultations = await app.page("/");
    expect(consultations.text).toContain("Una consulta que está en la lista");
    expect(consultations.text).not.toContain('class="ranking-entry"');
    const ranking = await app.page("/?vista=ranking");
    expect(ranking.text).toContain('class="ranking-entry"');
    expect(ranking.text).not.toContain("Una consulta que está en la lista");
    const statements = await app.statementsDuring(() => app.page("/"));
    expect(statements.filter((text) => text.includes("consultations"))).not.toEqual([]);
    expect(statements.filter((text) => text.includes("verified_psychologists"))).toEqual([]);
  });
});
