import { describe, expect, test } from "vitest";
import { MINUTE, minuteOf } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { setUpOnce, setUpTestApp } from "#test/suite-setup.ts";
import { retryWhileBusy } from "#test/threads.ts";

const app = setUpTestApp();
const psychologist = setUpOnce(() => app.person({ type: "psychologist" }));

const put = (id: string, as: TestUser | null, more: Record<string, unknown> = {}) =>
  retryWhileBusy(() => app.call("PUT", `/psychologists/${id}/review`, { rating: 5, ...more }, as));
const withdraw = (id: string, as: TestUser | null) =>
  retryWhileBusy(() => app.call("DELETE", `/psychologists/${id}/review`, {}, as));
const profile = async (id: string, as: TestUser | null = null) =>
  (await app.call("GET", `/psychologists/${id}`, undefined, as)).body;
const people = (count: number) => Promise.all(Array.from({ length: count }, () => app.person()));

describe("PUT /psychologists/{id}/review", () => {
  test.each([
    ["a review", put],
    ["a deletion", withdraw],
  ])("counts a review and %s that overlap", async (_what, then) => {
    const { id } = await app.person({ type: "psychologist" });
    const [before, one, other] = await people(3);
    await put(id, before!, { rating: 1 });
    const made = await whileRowLocked(app, "psychologist_profiles", id, [
      () => put(id, one!),
      () => then(id, then === put ? other! : before!),
    ]);
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    await expectCountersMatchRows(app);
  });

  test("rounds the average to one decimal", async () => {
    const { id } = await app.person({ type: "psychologist" });
    for (const [rating, expected] of [
      [5, 5],
      [4, 4.5],
      [4, 4.3],
      [1, 3.5],
    ])
      expect((await put(id, await app.person(), { rating })).body.rating).toBe(expected);
  });

  test("replaces an earlier review and marks it as edited with its original date", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person();
    const start = app.freeze();
    expect((await put(id, reviewer, { rating: 2, comment: "Regular" })).body).toEqual({ rating: 2, total_reviews: 1 });
    app.setNow(new Date(start.getTime() + MINUTE));
    expect((await put(id, reviewer, { rating: 4, comment: "Mejor" })).body).toEqual({ rating: 4, total_reviews: 1 });
    const [shown] = (await profile(id)).reviews;
    expect(shown).toMatchObject({
      rating: 4,
      comment: "Mejor",
      created_at: minuteOf(start),
      edited_at: minuteOf(new Date(start.getTime() + MINUTE)),
    });
  });

  test("stores a comment of 1,000 characters or none, and changes nothing for an identical review", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person();
    for (const comment of ["   ", "ñ".repeat(1000)]) {
      await put(id, reviewer, { rating: 4, comment });
      const [before] = (await profile(id)).reviews;
      expect(before.comment).toBe(comment.trim() || null);
      await put(id, reviewer, { rating: 4, comment });
      expect((await profile(id)).reviews).toEqual([before]);
    }
  });

  test("refuses reviews and deletions of the psychologists themselves", async () => {
    const { id } = psychologist;
    for (const answer of [
      await put(id, psychologist),
      await put(id.toUpperCase(), psychologist),
      await withdraw(id, psychologist),
    ])
      expect([answer.status, answer.body]).toEqual([403, { code: "cannot_review_self" }]);
    expect(await app.sql("select from psychologist_reviews where psychologist_id = $1", [id])).toEqual([]);
  });

  test.each([
    ["a rating below one", { rating: 0 }],
    ["a rating above five", { rating: 6 }],
    ["a rating between two", { rating: 4.5 }],
    ["a comment that is too long", { comment: "x".repeat(1001) }],
    ["a comment without visible characters and other wrong fields", { comment: "\u3164\u2800", show_name: "quizás" }],
  ])("responds 422 to %s", async (_what, wrong) => {
    const refused = await put(psychologist.id, await app.person(), wrong);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, Object.keys(wrong)]);
  });
});

test("DELETE /psychologists/{id}/review removes the review from list and numbers, down to null", async () => {
  const { id } = await app.person({ type: "psychologist" });
  const [first, second] = await people(2);
  await put(id, first!, { rating: 1 });
  await put(id, second!, { rating: 4 });
  // A user without a review deletes none.
  expect((await withdraw(id, await app.person())).body).toMatchObject({ total_reviews: 2 });
  expect((await withdraw(id, first!)).body).toEqual({ rating: 4, total_reviews: 1 });
  expect((await withdraw(id, second!)).body).toEqual({ rating: null, total_reviews: 0 });
  expect(await profile(id)).toMatchObject({ rating: null, total_reviews: 0, reviews: [] });
});

describe("author of a review", () => {
  test("appears in no response to other users unless the author shows the name", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person({ name: "Canaria Secreta" });
    const other = await app.person();
    const admin = await app.admin();
    await put(id, reviewer, { rating: 3, comment: "Un comentario" });
    for (const as of [null, other, admin, { ...other, id }]) {
      const answer = await app.call("GET", `/psychologists/${id}`, undefined, as);
      expect(answer.body.reviews).toEqual([
        expect.objectContaining({ author_label: "Usuario", by_colleague: false, mine: false }),
      ]);
      const pages = [
        answer,
        await app.call("GET", "/psychologists", undefined, as),
        await app.page(`/psicologo/${id}`, as),
        await app.page(`/psicologo/${id}.data`, as),
        await app.page("/?vista=ranking", as),
      ];
      for (const { text } of pages)
        for (const trace of [reviewer.id, reviewer.email, "Canaria"]) expect(text).not.toContain(trace);
    }
    // Only the author gets `mine: true`.
    const own = await profile(id, reviewer);
    expect(own.reviews[0].mine).toBe(true);
    expect(own.viewer.review).toEqual({
      id: own.reviews[0].id,
      rating: 3,
      comment: "Un comentario",
      show_name: false,
    });
  });

  test("shows the name only while the author wishes it, and hides a psychologist as Colega", async () => {
    const { id } = await app.person({ type: "psychologist" });
    for (const [by, label] of [
      [await app.person({ name: "Verónica Suárez" }), "Usuario"],
      [await app.person({ type: "psychologist", name: "Dra. Colegui" }), "Colega"],
    ] as const) {
      await put(id, by, { show_name: true });
      const by_colleague = label === "Colega";
      const meta = async (as: TestUser | null = null) => {
        const { text } = await app.page(`/psicologo/${id}`, as);
        return /<article class="review"[\s\S]*?<p class="meta"><span>([\s\S]*?)<\/p>/
          .exec(text)![1]!
          .split(/<[^>]*>+/)
          .filter(Boolean);
      };
      expect((await profile(id)).reviews[0]).toMatchObject({ author_label: by.full_name, by_colleague });
      expect(await meta(by)).toEqual([by.full_name, ...(by_colleague ? ["Colega"] : []), "Tu reseña"]);
      await put(id, by, { show_name: false });
      expect((await profile(id)).reviews[0]).toMatchObject({ author_label: label, by_colleague });
      expect((await app.page(`/psicologo/${id}`)).text).not.toContain(by.full_name);
      expect(await meta()).toEqual([label]);
    }
  });
});

describe("review form without JavaScript", () => {
  test("hides the name unless chosen, and says that a second review replaces the first", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person();
    const form = async () =>
      /id="escribir"[\s\S]*?<\/form>/.exec((await app.page(`/psicologo/${id}`, reviewer)).text)![0];
    expect(await form()).toMatch(/<input(?![^>]*checked)[^>]*name="show_name"/);
    expect(await form()).toMatch(/<input[^>]*name="rating"[^>]*checked=""[^>]*value="5"/);
    expect(await form()).not.toContain("Ya has dejado una reseña");
    await put(id, reviewer, { show_name: true });
    expect(await form()).toMatch(/<input(?![^>]*checked)[^>]*name="show_name"/);
    expect(await form()).toContain("Ya has dejado una reseña");
  });

  test("redirects to the reviews with a toast for a new, an edited and a deleted review", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person();
    for (const [fields, notice] of [
      [{ rating: "4" }, "review_sent"],
      [{ rating: "3", intent: "edit" }, "changes_saved"],
      [{ intent: "delete" }, "review_deleted"],
    ] as [Record<string, string>, string][]) {
      const { headers } = await app.form(`/psicologo/${id}/resena`, fields, reviewer);
      expect(headers.get("location")).toBe(`/psicologo/${id}#resenas`);
      expect(headers.get("set-cookie")).toContain(`notice=${notice}`);
    }
    expect((await profile(id)).reviews).toEqual([]);
  });

  test("shows a refused text again with its message", async () => {
    const refused = await app.form(
      `/psicologo/${psychologist.id}/resena`,
      { rating: "2", comment: `Perdido no ${"x".repeat(1000)}` },
      await app.person(),
    );
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Perdido no");
    expect(refused.text).toContain("Como máximo 1000 caracteres");
    expect(refused.text).toMatch(/value="2"[^>]*checked|checked=""[^>]*value="2"/);
  });

  test("shows a failed deletion at its button and leaves the form as stored", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reviewer = await app.person();
    await put(id, reviewer, { comment: "Se queda", show_name: true });
    await app.sql(`create function refuse_deletion() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await app.sql(`create trigger refuse_deletion before delete on psychologist_reviews
      for each row execute function refuse_deletion()`);
    try {
      const failed = await app.form(`/psicologo/${id}/resena`, { intent: "delete" }, reviewer);
      expect(failed.status).toBe(500);
      const [form = "", deletion] = failed.text.split('id="eliminar"');
      expect(form).toMatch(/<input[^>]*name="show_name"[^>]*checked=""/);
      expect(form).not.toContain('aria-invalid="true"');
      expect(deletion).toContain('class="notice notice--error"');
    } finally {
      await app.sql("drop function refuse_deletion cascade");
    }
  });

  test("redirects a visitor to the sign-in, and psychologists from their own form to the profile", async () => {
    const path = `/psicologo/${psychologist.id}`;
    const sent = await app.form(`${path}/resena`, { rating: "5" });
    expect(sent.headers.get("location")).toBe(`/auth?volver=${path}`);
    expect((await app.page(`${path}/resena`, psychologist)).headers.get("location")).toBe(path);
  });
});
