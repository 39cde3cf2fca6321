/** Tags and structured data of pages for search engines and for sites that link here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CATEGORY_SLUGS } from "#shared/slugs.ts";
import type { TestUser } from "./app.ts";
import { canonicalOf, contentOf, head, isListed, setUpIndexedSite } from "./indexed-site.ts";
import { expectHeaders } from "./response-headers.ts";
import { setUpTestApp } from "./suite-setup.ts";
import { ask, postAnswer, putVote } from "./threads.ts";

const app = setUpTestApp({ pageCache: true });
const site = setUpIndexedSite(app);

type Data = Record<string, unknown> & { "@type": string };
function structuredData(html: string): Data[] {
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return scripts.flatMap(([, json]) => JSON.parse(json!)["@graph"]);
}
const dataOf = (html: string, type: string) =>
  structuredData(html).find((one) => one["@type"] === type) as { mainEntity: Record<string, unknown> } & Data;

describe("public pages", () => {
  const FIXED = "/ /home /ayuda /ayuda?pais=Chile /contacto /terms /privacy /temas /temas/duelo /paises/chile";
  const paths = () => [...FIXED.split(" "), `/consulta/${site.answered}`, `/psicologo/${site.psychologist.id}`];

  test("contain a title, a description, their own URL as the canonical one, and the same in Open Graph", async () => {
    for (const path of paths()) {
      const { status, text } = await app.page(path);
      expect([path, status, isListed(text)]).toEqual([path, 200, true]);
      expect(canonicalOf(text), path).toBe(app.url + path);
      expect(contentOf(text, "description"), path).toMatch(/\S{3}/);
      for (const [property, expected] of [
        ["og:url", app.url + path],
        ["og:description", contentOf(text, "description")],
        ["og:site_name", "Diván"],
        ["twitter:card", /^\/(consulta|psicologo)/.test(path) ? "summary_large_image" : "summary"],
      ] as const)
        expect(contentOf(text, property), `${path} ${property}`).toBe(expected);
      expect(head(text), path).toContain(`<title>${contentOf(text, "og:title")}`);
    }
  });

  test("contain different titles and descriptions per topic and country", async () => {
    const all = [...Object.values(CATEGORY_SLUGS).map((slug) => `/temas/${slug}`), "/paises/chile", "/paises/peru"];
    const pages = await Promise.all(all.map(async (path) => (await app.page(path)).text));
    expect(new Set(pages.map((text) => contentOf(text, "og:title"))).size).toBe(all.length);
  });

  test("name the canonical URL of a page with parameters", async () => {
    for (const [path, canonical] of [
      ["/?orden=votadas", "/"],
      ["/?pais=Chile&orden=antiguas", "/paises/chile"],
      ["/?categoria=Duelo&pais=Chile", "/temas/duelo"],
      ["/?vista=ranking", "/?vista=ranking"],
      ["/?vista=ranking&pais=Chile&orden=votadas", "/?vista=ranking&amp;pais=Chile"],
      ["/temas/", "/temas"],
      ["/auth?modo=registro", "/auth"],
      [`/consulta/${site.answered}?orden=antiguas`, `/consulta/${site.answered}`],
    ] as const)
      expect(canonicalOf((await app.page(path)).text), path).toBe(app.url + canonical);
  });

  test("describe a consultation in one line of at most 155 characters", async () => {
    const id = await ask(app, await app.person(), { content: `Primera línea\n${"larga ".repeat(60)}` });
    const description = contentOf((await app.page(`/consulta/${id}`)).text, "description")!;
    expect(description).toMatch(/^Primera línea larga .*…$/);
    expect(description.length).toBeLessThanOrEqual(155);
  });
});

describe("noindex", () => {
  test("applies to a consultation until its first answer", async () => {
    const id = await ask(app, await app.person());
    const read = async () => isListed((await app.page(`/consulta/${id}`)).text);
    expect(await read()).toBe(false);
    const { id: answer } = (await postAnswer(app, id, site.psychologist)).body;
    await expect.poll(read).toBe(true);
    await app.call("DELETE", `/answers/${answer}`, undefined, site.psychologist);
    await expect.poll(read).toBe(false);
  });

  test("applies to an unverified psychologist, private pages and unknown ones, which have no canonical URL", async () => {
    expect(isListed((await app.page(`/psicologo/${site.pending.id}`)).text)).toBe(false);
    const others = "/perfil /cuenta /nueva-consulta /auth/recuperar /planes /no-hay-nada /temas/nada";
    for (const path of others.split(" ")) {
      const { text } = await app.page(path, site.author);
      expect([path, isListed(text), contentOf(text, "og:url")]).toEqual([path, false, undefined]);
    }
  });
});

describe("structured data", () => {
  test("contains a QAPage with the answers of a consultation", async () => {
    await putVote(app, "consultations", site.answered, site.psychologist, "up");
    const { answers } = (await app.call("GET", `/consultations/${site.answered}`)).body;
    await putVote(app, "answers", answers[0].id, site.author);
    const read = async () => dataOf((await app.page(`/consulta/${site.answered}`)).text, "QAPage").mainEntity;
    await expect.poll(async () => (await read()).upvoteCount).toBe(1);
    expect(await read()).toMatchObject({
      "@type": "Question",
      name: "¿</script><script>alert(1)</script>?",
      text: "Un texto <b>con</b> & sin más de veinte\ncaracteres.",
      url: `${app.url}/consulta/${site.answered}`,
      datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00.000Z$/),
      answerCount: 1,
      suggestedAnswer: [
        {
          "@type": "Answer",
          text: "Una respuesta & </script>",
          url: expect.stringMatching(`^${app.url}/consulta/${site.answered}#respuesta-`),
          datePublished: expect.stringMatching(/^\d{4}-/),
          upvoteCount: 1,
          author: { "@type": "Person", name: "Paula Canaria", url: `${app.url}/psicologo/${site.psychologist.id}` },
        },
      ],
    });
  });

  test("escapes a text that would end its script, and contains no author of an anonymous question", async () => {
    const { text, headers } = await app.page(`/consulta/${site.answered}`);
    expectHeaders({ text, headers }, `/consulta/${site.answered}`);
    expect(text).toContain("\\u003c/script>\\u003cscript>alert(1)");
    expect(text).not.toContain("</script><script>alert(1)");
    expect(dataOf(text, "QAPage").mainEntity).not.toHaveProperty("author");
    for (const secret of [site.author.full_name, site.author.id]) expect(text).not.toContain(secret);
    const named = await app.page(`/consulta/${site.named}`);
    expect(dataOf(named.text, "QAPage").mainEntity.author).toEqual({ "@type": "Person", name: "Nombre Elegido" });
  });

  test("contains only breadcrumbs for an unanswered consultation", async () => {
    const { text } = await app.page(`/consulta/${site.unanswered}`);
    expect(structuredData(text).map((one) => one["@type"])).toEqual(["BreadcrumbList"]);
  });

  test("contains a ProfilePage of a psychologist without contact data", async () => {
    const { id } = site.psychologist;
    const contact = "phone = '+56 9 8765 4321', website = 'ejemplo.cl'";
    await app.sql(`update psychologist_profiles set ${contact} where id = $1`, [id]);
    const { mainEntity } = dataOf((await app.page(`/psicologo/${id}`)).text, "ProfilePage");
    expect(mainEntity).toMatchObject({ "@type": "Person", name: "Paula Canaria" });
    expect(JSON.stringify(mainEntity)).not.toMatch(/8765|ejemplo\.cl/);
    expect(mainEntity).toHaveProperty("hasCredential");
  });

  test("contains no credential of an unverified psychologist", async () => {
    const { mainEntity } = dataOf((await app.page(`/psicologo/${site.pending.id}`)).text, "ProfilePage");
    expect(mainEntity).not.toHaveProperty("hasCredential");
  });

  test("contains breadcrumbs from the start page to the page", async () => {
    for (const [path, names] of [
      [`/consulta/${site.named}`, ["Diván", "Duelo", "Una pregunta de prueba"]],
      [`/psicologo/${site.psychologist.id}`, ["Diván", "Ranking de Psicólogos", "Paula Canaria"]],
      ["/temas/duelo", ["Diván", "Temas y países", "Duelo"]],
    ] as const) {
      const trail = dataOf((await app.page(path)).text, "BreadcrumbList").itemListElement as Data[];
      expect(trail.map(({ name }) => name)).toEqual(names);
      expect(trail.map(({ position }) => position)).toEqual(names.map((_, at) => at + 1));
      expect(trail.at(-1)!.item).toBe(app.url + path);
    }
  });
});

describe("web app manifest", () => {
  test("names icons of the stated sizes, and every page links to it", async () => {
    expect((await app.page("/")).text).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');
    const { headers, text, status } = await app.page("/manifest.webmanifest");
    expectHeaders({ headers, text }, "manifest");
    expect(status).toBe(200);
    const { name, icons } = JSON.parse(text) as { name: string; icons: { src: string; sizes: string; type: string }[] };
    expect(name).toBe("Diván");
    for (const { src, sizes, type } of icons) {
      expect((await app.page(src)).headers.get("content-type"), src).toBe(type);
      if (sizes === "any") continue;
      // The first chunk of a PNG file begins with its size.
      const png = readFileSync(join(import.meta.dirname, "..", "public", src));
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  test("contains the colour of the chosen theme in the page", async () => {
    const colours = async (cookie: string) => {
      const { text } = await app.page("/", { cookie } as TestUser);
      return Array.from(text.matchAll(/<meta name="theme-color"[^>]*content="([^"]+)"/g), ([, colour]) => colour);
    };
    expect(await colours("")).toEqual(["#f3ece2", "#1a1714"]);
    expect(await colours("theme=dark")).toEqual(["#1a1714"]);
  });
});
