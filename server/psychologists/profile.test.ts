import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, openThread, postAnswer, putVote } from "#test/threads.ts";

const app = setUpTestApp();

const visit = (id: string, as: TestUser | null = null, browser = "A browser/1.0") =>
  app.call("POST", `/psychologists/${id}/views`, {}, as, { "user-agent": browser });
const viewCount = async (as: TestUser) => (await app.call("GET", `/psychologists/${as.id}/views`, undefined, as)).body;
const statistics = (id: string, as: TestUser | null) =>
  app.call("GET", `/psychologists/${id}/statistics`, undefined, as);
const profile = async (id: string, as: TestUser | null = null) =>
  (await app.call("GET", `/psychologists/${id}`, undefined, as)).body;

describe("public profile", () => {
  test("shows all fields of the psychologist with safe links", async () => {
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

  test("shows neither an unsafe link nor the specialty Otra", async () => {
    const { id } = await app.person({ type: "psychologist" });
    for (const website of ["javascript:alert(document.domain)", "https://a@evil.example"]) {
      await app.sql("update psychologist_profiles set website = $2, specialty = 'Otra' where id = $1", [id, website]);
      expect(await profile(id)).toMatchObject({ website: null, links: { website: null }, specialty: null });
      expect((await app.page(`/psicologo/${id}`)).text).not.toContain(website);
    }
  });

  test("shows an unverified psychologist as pending without a date", async () => {
    const { id } = await app.person({ type: "psychologist", verified: false });
    expect(await profile(id)).toMatchObject({ is_verified: false, verified_at: null, license_badge: "MP 1234" });
    const { text } = await app.page(`/psicologo/${id}`);
    expect(text).toContain("Pendiente de verificación");
    expect(text).not.toContain("Matrícula verificada el");
  });

  test("links a verified licence to the public registers of its country", async () => {
    const { id } = await app.person({ type: "psychologist", country: "Ecuador" });
    const { text } = await app.page(`/psicologo/${id}`);
    expect(text).toContain('id="verificacion"');
    expect(text).toContain("por el equipo de ");
    for (const url of ["https://www.senescyt.gob.ec/consulta-titulos-web/", "https://saccs.acess.gob.ec/"])
      expect(text).toContain(`href="${url}" rel="noopener noreferrer"`);
    expect(text).toContain("</a> y <a");
  });

  test("shows the newest 10 answers and the newest 50 reviews", async () => {
    const psychologist = await app.person({ type: "psychologist", gold: "active" });
    expect((await profile(psychologist.id)).rating_counts).toEqual([0, 0, 0, 0, 0]);
    for (let at = 0; at < 11; at++) {
      const of = await ask(app, await app.person(), { title: `Consulta número ${at}` });
      await postAnswer(app, of, psychologist, "Una respuesta");
    }
    await openThread(app);
    const [first, last] = [await app.person(), await app.person()];
    const review = (by: TestUser, rating: number, comment: string) =>
      app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating, comment }, by);
    await review(first, 1, "Reseña 0");
    await app.sql(
      `insert into psychologist_reviews (psychologist_id, rating, comment, created_at)
       select $1, 5, 'Reseña ' || n, now() + n * interval '1 second' from generate_series(1, 50) n`,
      [psychologist.id],
    );
    app.setNow(new Date(Date.now() + MINUTE));
    await review(last, 5, "Reseña 51");
    const shown = await profile(psychologist.id);
    expect(shown.answers.map((one: { consultation: { title: string } }) => one.consultation.title)).toEqual(
      Array.from({ length: 10 }, (_, at) => `Consulta número ${10 - at}`),
    );
    expect(shown.reviews.map((one: { comment: string }) => one.comment)).toEqual(
      Array.from({ length: 50 }, (_, at) => `Reseña ${51 - at}`),
    );
    expect(shown).toMatchObject({ total_reviews: 52, total_responses: 11, rating_counts: [1, 0, 0, 0, 51] });
    expect(JSON.stringify(shown)).not.toContain(psychologist.email);
    // The page shows the form and ten reviews above a button for the rest.
    const text = (await app.page(`/psicologo/${psychologist.id}`)).text.replaceAll("<!-- -->", "");
    const places =
      `star-distribution,Escribir una reseña,Reseña 51,Reseña 42,Ver más reseñas,Reseña 41,Se muestran las 50 más recientes`
        .split(",")
        .map((words) => text.indexOf(words));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    // The author of a review that is too old for the list may still edit it.
    expect((await profile(psychologist.id, first)).viewer.review.comment).toBe("Reseña 0");
  });
});

describe("profile visits", () => {
  test("count once a day per visitor, never for the owner", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    app.setNow(noon);
    await app.staySignedIn(owner);
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [owner.id]);
    // Renderings of the page do not count.
    for (const more of ["", ".data"]) await app.page(`/psicologo/${owner.id}${more}`);
    expect(await viewCount(owner)).toBe(0);
    await visit(owner.id);
    await visit(owner.id);
    expect(await viewCount(owner)).toBe(1);
    await visit(owner.id, null, "Another browser/1.0");
    expect(await viewCount(owner)).toBe(2);
    // Signing in does not make a new visitor.
    await visit(owner.id, await app.person());
    for (const browser of ["A browser/1.0", "The owner's own/1.0"]) await visit(owner.id, owner, browser);
    await visit(owner.id.toUpperCase(), owner, "The owner's own/2.0");
    expect(await viewCount(owner)).toBe(2);
    app.setNow(new Date(noon.getTime() + DAY));
    await visit(owner.id);
    expect(await viewCount(owner)).toBe(3);
  });

  test("get the same response by the same SQL statements even if they do not count", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const seen: unknown[] = [];
    const asked: string[][] = [];
    const look = async (as: TestUser | null = null) => {
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
    await look(await app.person());
    await look(owner);
    expect(seen[3]).toEqual(seen[2]);
  });

  test("count once for 20 concurrent visits of one visitor and 20 times for 20 visitors", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const browsers = Array.from({ length: 40 }, (_, at) => (at < 20 ? "One browser" : `Browser ${at}`));
    await Promise.all(browsers.map((browser) => visit(owner.id, null, browser)));
    expect(await viewCount(owner)).toBe(21);
    const [rows] = await app.sql(
      `select (select count(*)::integer from profile_views where psychologist_id = $1) as marks,
         (select sum(views)::integer from profile_view_counts where psychologist_id = $1) as views`,
      [owner.id],
    );
    expect(rows).toEqual({ marks: 21, views: 21 });
  });

  test("store neither IP nor browser", async () => {
    const owner = await app.person({ type: "psychologist" });
    await visit(owner.id, null, "Canary/1.0");
    const [mark] = await app.sql<{ viewer_hash: Buffer }>(
      "select viewer_hash from profile_views where psychologist_id = $1",
      [owner.id],
    );
    expect(mark!.viewer_hash).toHaveLength(32);
    for (const secret of ["127.0.0.1", "Canary"]) expect(mark!.viewer_hash.includes(secret)).toBe(false);
    expect(app.log.join("")).not.toContain("Canary");
  });
});

describe("profile statistics", () => {
  test.each(["none", "expired"] as const)("require active Gold, not %s; the page offers Gold instead", async (gold) => {
    const owner = await app.person({ type: "psychologist", gold });
    for (const path of ["statistics", "views"]) {
      const answer = await app.call("GET", `/psychologists/${owner.id}/${path}`, undefined, owner);
      expect([answer.status, answer.body]).toEqual([403, { code: "gold_required" }]);
    }
    expect((await profile(owner.id)).has_gold).toBe(false);
    const { text } = await app.page(`/psicologo/${owner.id}`, owner);
    expect(text).toContain('href="/planes"');
    expect(text).not.toContain('id="estadisticas"');
  });

  test("contain the counts of each of 90 days plus totals", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const today = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    app.setNow(today);
    await app.staySignedIn(owner);
    await app.sql("update psychologist_profiles set gold_until = 'infinity' where id = $1", [owner.id]);
    const of = await ask(app, await app.person());
    const made = await postAnswer(app, of, owner, "Una respuesta");
    const voters = await Promise.all(Array.from({ length: 3 }, () => app.person()));
    for (const [at, voter] of voters.entries())
      await putVote(app, "answers", made.body.id, voter, at === 0 ? "down" : "up");
    await app.sql("update response_votes set created_at = $2 where response_id = $1", [
      made.body.id,
      new Date(today.getTime() - 2 * DAY),
    ]);
    // A vote counts on its day, also if its answer is older than the statistics.
    const [old] = await app.sql<{ id: string }>(
      "insert into consultation_responses (consultation_id, psychologist_id, content, created_at) values ($1, $2, 'Otra', now() - interval '100 days') returning id",
      [of, owner.id],
    );
    await putVote(app, "answers", old!.id, voters[1]!);
    await app.call("PUT", `/psychologists/${owner.id}/review`, { rating: 5 }, voters[0]);
    await visit(owner.id);
    await app.sql(
      "insert into profile_view_counts (psychologist_id, viewed_on, views) select $1, $2::date - n, n from unnest(array[1, 89, 90]) n",
      [owner.id, today.toISOString().slice(0, 10)],
    );
    const { body } = await statistics(owner.id, owner);
    expect(body).toMatchObject({ visits: 1 + 1 + 89 + 90, answers: 2, reviews: 1, votes: 2 });
    expect(body.days).toHaveLength(90);
    const day = (ago: number) => new Date(today.getTime() - ago * DAY).toISOString().slice(0, 10);
    const nothing = { visits: 0, answers: 0, reviews: 0, votes: 0 };
    expect(body.days.at(-1)).toEqual({ date: day(0), visits: 1, answers: 1, reviews: 1, votes: 1 });
    expect(body.days.at(-2)).toEqual({ ...nothing, date: day(1), visits: 1 });
    expect(body.days.at(-3)).toEqual({ ...nothing, date: day(2), votes: 1 });
    expect(body.days[0]).toEqual({ ...nothing, date: day(89), visits: 89 });
    expect(body.days.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 90 }, (_, at) => day(89 - at)),
    );
  });

  test("appear on the owner's page as numbers, charts and a table for 30 or 90 days", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    expect((await app.page(`/psicologo/${owner.id}`, owner)).text).toMatch(
      /Aquí verás tus visitas.*Todavía no has respondido consultas\..*>Ver las consultas</s,
    );
    await visit(owner.id);
    await app.sql(
      "insert into profile_view_counts (psychologist_id, viewed_on, views) select $1, (now() at time zone 'UTC')::date - n, 10 from unnest(array[6, 7]) n",
      [owner.id],
    );
    const { body } = await postAnswer(app, await ask(app, await app.person()), owner, "Una respuesta");
    await putVote(app, "answers", body.id, await app.person(), "down");
    const page = async (days = "") =>
      (await app.page(`/psicologo/${owner.id}${days}`, owner)).text.replaceAll("<!-- -->", "");
    const month = await page();
    expect(month).toContain("Visitas al perfil");
    expect(month).toContain("21 visitas en los últimos 30 días; 11 en los últimos 7.");
    // There are no reviews yet.
    expect(month.match(/<svg class="chart"/g)).toHaveLength(3);
    expect(month).toContain("Visitas por día en los últimos 30 días: 21 en total, 10 en el mejor día.");
    expect(month.match(/<th scope="row">/g)).toHaveLength(30);
    expect(month).toMatch(
      /<td data-label="Respuestas">1<\/td><td data-label="Reseñas">0<\/td><td data-label="Votos">-1</,
    );
    expect(month).toContain(`href="/psicologo/${owner.id}?dias=90#estadisticas"`);
    const quarter = await page("?dias=90");
    expect(quarter.match(/<th scope="row">/g)).toHaveLength(90);
    expect((await app.page(`/psicologo/${owner.id}`)).text).not.toContain('id="estadisticas"');
  });
});
