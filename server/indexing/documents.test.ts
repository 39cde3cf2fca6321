/** Sitemap, feeds and robots.txt, and the pages of topics that they list. */
import { parse, validate } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS } from "#shared/slugs.ts";
import type { TestUser } from "#test/app.ts";
import { canonicalOf, isListed, setUpIndexedSite } from "#test/indexed-site.ts";
import { expectHeaders } from "#test/response-headers.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, consultationBody, publishAnswer } from "#test/threads.ts";

const app = setUpTestApp({ pageCache: true });
const site = setUpIndexedSite(app);

/** Requests an XML document and parses it. */
async function xml(path: string, as: TestUser | null = null) {
  const { status, headers, text } = await app.page(path, as);
  expect([path, status, validate(text)]).toEqual([path, 200, true]);
  expectHeaders({ headers, text }, path);
  expect(headers.get("content-type")).toMatch(/^application\/(atom\+)?xml; charset=utf-8$/);
  return { text, root: parse(text, { ignoreAttributes: false, arrayMode: /^(sitemap|url|entry|link)$/ }) };
}
type Location = { loc: string; lastmod?: string };
const parts = async () => ((await xml("/sitemap.xml")).root.sitemapindex.sitemap as Location[]).map(({ loc }) => loc);
const inPart = async (loc: string) => ((await xml(loc.slice(app.url.length))).root.urlset.url ?? []) as Location[];
/** Returns the paths in the whole sitemap. */
const listed = async () =>
  (await Promise.all((await parts()).map(inPart))).flat().map(({ loc }) => loc.slice(app.url.length));

describe("robots.txt", () => {
  test("names the sitemap and the paths without public content", async () => {
    const { status, headers, text } = await app.page("/robots.txt");
    expectHeaders({ headers, text }, "/robots.txt");
    expect(status).toBe(200);
    expect(text).toContain(`\nSitemap: ${app.url}/sitemap.xml\n`);
    expect(text).toContain("\nDisallow: /admin\n");
    expect(text).not.toMatch(/Disallow: \/(consulta|psicologo)\/?$/m);
  });
});

describe("sitemap", () => {
  test("lists answered consultations, verified psychologists, topics, countries and help lines", async () => {
    const found = await listed();
    const texts = [`/consulta/${site.answered}`, `/consulta/${site.named}`, `/psicologo/${site.psychologist.id}`];
    const lists = ["/", "/temas", "/temas/duelo", "/paises/chile", "/ayuda?pais=Chile"];
    expect(found).toEqual(expect.arrayContaining([...texts, ...lists]));
    expect(found).not.toContain(`/consulta/${site.unanswered}`);
    expect(found).not.toContain(`/psicologo/${site.pending.id}`);
    expect(new Set(found).size).toBe(found.length);
  });

  test("lists only pages that respond 200 and allow indexing", async () => {
    for (const path of await listed()) {
      const { status, text } = await app.page(path);
      expect([path, status, isListed(text)]).toEqual([path, 200, true]);
      expect(canonicalOf(text)).toBe(app.url + path);
    }
  });

  test("dates a consultation by its newest answer or edit, a psychologist by the newest answer", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const asked = await ask(app, await app.person());
    await publishAnswer(app, asked, psychologist);
    const days = async () => {
      const all = (await Promise.all((await parts()).map(inPart))).flat();
      return [asked, psychologist.id].map((id) => all.find(({ loc }) => loc.endsWith(id))?.lastmod);
    };
    await app.sql("update psychologist_profiles set verified_at = '2026-01-01' where id = $1", [psychologist.id]);
    await app.sql("update consultations set created_at = '2026-01-02' where id = $1", [asked]);
    const answered = "2026-02-03";
    for (const [change, id, day] of [
      ["consultation_responses set created_at = $2 where psychologist_id = $1", psychologist.id, answered],
      ["consultations set edited_at = $2 where id = $1", asked, "2026-03-04"],
      ["consultation_responses set edited_at = $2 where consultation_id = $1", asked, "2026-04-05"],
    ] as const) {
      await app.sql(`update ${change}`, [id, day]);
      await expect.poll(days).toEqual([day, answered]);
    }
  });

  test.each(["/sitemap-consulta.xml", "/sitemap-consulta.xml?desde=1", "/sitemap-nada.xml", "/temas/nada/feed.xml"])(
    "responds 404 to %s",
    async (path) => {
      expect((await app.page(path)).status).toBe(404);
    },
  );
});

type Entry = { id: string; title: string; summary: string; updated: string; published: string; author?: string };
const feed = async (path: string) => (await xml(path)).root.feed as { id: string; updated: string; entry?: Entry[] };
const idsIn = async (path: string) => ((await feed(path)).entry ?? []).map(({ id }) => id.slice(-36));

describe("Atom feeds", () => {
  test("list answered consultations: all, of a country, of a topic", async () => {
    for (const page of ["/", "/paises/chile", "/temas/duelo"]) {
      const path = `${page === "/" ? "" : page}/feed.xml`;
      expect((await xml(path)).text).toContain(`<link href="${app.url}${page}"/>`);
      const ids = await idsIn(path);
      expect(ids, path).toEqual(expect.arrayContaining([site.answered, site.named]));
      expect(ids, path).not.toContain(site.unanswered);
    }
    for (const slug of Object.values(COUNTRY_SLUGS).filter((slug) => slug !== "chile"))
      expect(await idsIn(`/paises/${slug}/feed.xml`), slug).not.toContain(site.answered);
    for (const slug of Object.values(CATEGORY_SLUGS).filter((slug) => slug !== "duelo"))
      expect(await idsIn(`/temas/${slug}/feed.xml`), slug).not.toContain(site.answered);
  });

  test("contain the elements that RFC 4287 requires, and no author of a consultation", async () => {
    await app.sql("update consultations set edited_at = '2030-03-04T05:06:07Z' where id = $1", [site.named]);
    await expect.poll(async () => (await feed("/feed.xml")).updated).toBe("2030-03-04T05:06:07.000Z");
    const newest = await app.sql<{ id: string }>(
      "select id from consultations where response_count > 0 and not noindex order by created_at desc, id desc limit 30",
    );
    expect(await idsIn("/feed.xml")).toEqual(newest.map(({ id }) => id));
    const { text, root } = await xml("/feed.xml");
    expect(root.feed).toMatchObject({ id: `${app.url}/feed.xml`, title: "Diván", author: { name: "Diván" } });
    for (const entry of root.feed.entry as Entry[]) {
      expect(entry).toMatchObject({
        id: expect.stringMatching(`^${app.url}/consulta/`),
        title: expect.any(String),
        summary: expect.any(String),
        updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(entry).not.toHaveProperty("author");
    }
    expect(text).toContain("&lt;b&gt;con&lt;/b&gt; &amp; sin");
    expect(text).not.toContain("Nombre Elegido");
    expect(text).not.toContain(site.author.full_name);
  });

  test("remain valid without consultations, and list at most 30", async () => {
    const path = "/temas/otros-temas/feed.xml";
    const { updated, entry } = await feed(path);
    expect([updated, entry]).toEqual(["1970-01-01T00:00:00.000Z", undefined]);
    await app.sql(
      `insert into consultations (title, content, country, category, is_anonymous, response_count, created_at)
       select 'Una de muchas', 'Un texto de prueba con más de veinte caracteres.', 'Perú', 'Otro/a', true, 1, '2025-01-01'
       from generate_series(1, 31)`,
    );
    await app.sql("notify page_changes, 'lists'");
    await expect.poll(async () => (await idsIn(path)).length).toBe(30);
  });
});

describe("a consultation with noindex", () => {
  test("leaves sitemap, feeds and robots in the next response; a deleted one leaves all lists", async () => {
    const owner = await app.person();
    const text = { title: "Palabrejas sin buscador", country: "Ecuador", category: "Adicciones" };
    const id = await ask(app, owner, text);
    await publishAnswer(app, id, site.psychologist);
    const part = (await parts()).find((loc) => loc.includes("consulta"))!.slice(app.url.length);
    const documents = ["/feed.xml", "/temas/adicciones/feed.xml", "/paises/ecuador/feed.xml", part];
    const ownLists = ["/?pais=Ecuador", "/temas/adicciones", "/buscar?q=palabrejas"];
    const listedIn = async (places: string[]) => {
      const shown = await Promise.all(places.map(async (path) => (await app.page(path)).text.includes(id)));
      return places.filter((_, n) => shown[n]);
    };
    // Search engines quote nothing from an element with this attribute.
    const quotable = new RegExp(`<div class="consultation-card__question">(?:(?!</h[23]>).)*/consulta/${id}"`, "s");
    const quotedIn = async (path: string) => quotable.test((await app.page(path)).text);
    const page = async () => {
      const html = (await app.page(`/consulta/${id}`)).text;
      return { listed: isListed(html), data: html.includes("application/ld+json") };
    };
    const choose = async (noindex?: boolean) => {
      const body = consultationBody({ ...text, noindex });
      expect((await app.call("PATCH", `/consultations/${id}`, body, owner)).status).toBe(200);
    };
    await expect.poll(() => listedIn([...documents, ...ownLists])).toEqual([...documents, ...ownLists]);
    await expect.poll(page).toEqual({ listed: true, data: true });
    // The page comes from the cache now.
    expect(await app.statementsDuring(page)).toEqual([]);

    await choose(true);
    expect(await page()).toEqual({ listed: false, data: false });
    expect(await listedIn(documents)).toEqual([]);
    expect(await listedIn(ownLists)).toEqual(ownLists);
    for (const path of ownLists) expect([path, await quotedIn(path)]).toEqual([path, false]);
    await choose();
    expect(await page()).toEqual({ listed: false, data: false });
    const shown = (await app.call("GET", `/consultations/${id}`)).body;
    expect(shown.consultation).toMatchObject({ noindex: true, edited_at: null });
    await choose(false);
    expect(await quotedIn("/temas/adicciones")).toBe(true);
    expect(await page()).toEqual({ listed: true, data: true });
    expect(await listedIn(documents)).toEqual(documents);
    expect((await app.call("DELETE", `/consultations/${id}`, undefined, owner)).status).toBe(200);
    expect(await listedIn([...documents, ...ownLists])).toEqual([]);
  });
});

describe("topic pages", () => {
  test("show an introduction and a way to ask for every category and country", async () => {
    const slugs = [...CATEGORIES.map((name) => CATEGORY_SLUGS[name]), ...COUNTRIES.map((name) => COUNTRY_SLUGS[name])];
    expect(new Set(slugs).size).toBe(CATEGORIES.length + COUNTRIES.length);
    for (const name of CATEGORIES) {
      const { status, text } = await app.page(`/temas/${CATEGORY_SLUGS[name]}`);
      expect([name, status]).toEqual([name, 200]);
      expect(text).toMatch(/<p class="topic__text">.{100,}<\/p>/);
      expect(text).toContain("/auth?modo=registro&amp;volver=/nueva-consulta");
    }
    for (const name of COUNTRIES) {
      const { text } = await app.page(`/paises/${COUNTRY_SLUGS[name]}`);
      expect(text).toContain(`/ayuda?pais=${encodeURIComponent(name)}`);
      expect(text).toContain(`Consultas de ${name}`);
    }
  });

  test("lead to the help lines if the topic is heavy", async () => {
    for (const slug of ["depresion", "duelo", "relaciones", "familia", "adicciones"])
      expect((await app.page(`/temas/${slug}`)).text, slug).toMatch(
        /<p class="topic__urgent">.*<a [^>]*href="\/ayuda"[^>]*>Necesito ayuda ahora<\/a><\/p>/,
      );
  });

  test("contain a link to their feed", async () => {
    for (const path of ["/temas/duelo", "/paises/chile"])
      expect((await app.page(path)).text).toMatch(
        new RegExp(`<link rel="alternate" type="application/atom\\+xml" title="[^"]+" href="${path}/feed.xml"/>`),
      );
  });

  test("show the most voted answered consultations of a long list first", async () => {
    await app.sql(
      `insert into consultations (title, content, country, category, is_anonymous, upvotes, response_count, created_at)
       select 'Estrés ' || n, 'Un texto de prueba con más de veinte caracteres.', 'Chile', 'Estrés', true, n % 7, n % 3, now() - n * interval '1 hour'
       from generate_series(1, 40) n`,
    );
    await app.sql("notify page_changes, 'lists'");
    const titles = async () =>
      [...(await app.page("/temas/estres")).text.matchAll(/>(Estrés \d+)<\/a>/g)].map(([, title]) => title);
    await expect.poll(async () => (await titles()).length).toBe(13);
    const shown = await titles();
    expect(shown.slice(0, 3)).toEqual(["Estrés 13", "Estrés 20", "Estrés 34"]);
    expect(new Set(shown).size).toBe(13);
  });
});

describe("a long sitemap", () => {
  const app = setUpTestApp();

  test("returns parts of at most 10,000 URLs", async () => {
    // Without triggers, which would take minutes.
    await app.sql(
      `begin; set local session_replication_role = replica;
       insert into consultations (title, content, country, category, is_anonymous, response_count, created_at)
       select 'Una de muchas', 'Un texto de prueba con más de veinte caracteres.', 'Chile', 'Duelo', true, 1,
         now() - n * interval '1 minute' from generate_series(1, 25000) n;
       commit; analyze consultations`,
    );
    const seen: string[] = [];
    const index = (await app.page("/sitemap.xml")).text;
    for (const [, loc] of index.matchAll(/<loc>([^<]+consulta[^<]*)/g)) {
      const { text } = await app.page(loc!.slice(app.url.length));
      const found = [...text.matchAll(/<loc>([^<]+)/g)].map(([, url]) => url!);
      expect(found.length).toBeLessThanOrEqual(10_000);
      seen.push(...found);
    }
    const [count] = await app.sql<{ n: number }>(
      "select count(*)::integer as n from consultations where response_count > 0",
    );
    expect([seen.length, new Set(seen).size]).toEqual([count!.n, count!.n]);
  });
});
