/** Images for sharing: their content, their cache, and how fast a change reaches them. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { contentOf } from "#test/indexed-site.ts";
import { photo, upload } from "#test/photos.ts";
import { expectHeaders } from "#test/response-headers.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, publishAnswer } from "#test/threads.ts";
import { drawable } from "../indexing/share-image.tsx";

const app = setUpTestApp({ pageCache: true });

const imageOf = (page: string) => `/imagen${page}.png`;
/** Requests an image. The ETag is a digest of its bytes. */
async function image(page: string, init: RequestInit = {}) {
  const response = await fetch(app.url + imageOf(page), init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, etag: response.headers.get("etag") };
}
const etagOf = async (page: string) => (await image(page)).etag;

describe("the image for sharing", () => {
  test("returns a PNG of 1200 x 630 pixels, which the tags of its page describe", async () => {
    const id = await ask(app, await app.person(), { title: "¿Por qué <b>no</b> duermo?" });
    const psychologist = await app.person({ type: "psychologist" });
    for (const page of [`/consulta/${id}`, `/psicologo/${psychologist.id}`]) {
      const { text } = await app.page(page);
      expect(contentOf(text, "og:image")).toBe(app.url + imageOf(page));
      expect(contentOf(text, "og:image:alt")).toMatch(/\S{3}/);
      const { status, headers, bytes } = await image(page);
      expectHeaders({ headers, text: "" }, page);
      expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("x-robots-tag")).toBe("noindex");
      const { width, height } = await sharp(bytes).metadata();
      expect([width, height]).toEqual([1200, 630]);
      expect([contentOf(text, "og:image:width"), contentOf(text, "og:image:height")]).toEqual(["1200", "630"]);
      expect(bytes.length).toBeLessThan(150_000);
    }
  });

  test("returns equal images for an anonymous and a named author", async () => {
    const author = await app.person({ name: "Canaria Secreta" });
    const page = `/consulta/${await ask(app, author, { is_anonymous: true })}`;
    const anonymous = await image(page);
    await app.sql("update consultations set is_anonymous = false, author_name = 'Apodo Canario'");
    await expect.poll(async () => (await app.page(page)).text).toContain("Apodo Canario");
    const renders = app.cache!.counted.renders;
    const named = await image(page);
    expect(app.cache!.counted.renders).toBe(renders + 1);
    expect([anonymous.status, named.status]).toEqual([200, 200]);
    expect(named.bytes.equals(anonymous.bytes)).toBe(true);
  });

  test("comes from the page cache, for signed-in users and with parameters too", async () => {
    const user = await app.person();
    const page = `/consulta/${await ask(app, user)}`;
    const { etag } = await image(page);
    const statements = await app.statementsDuring(async () => {
      expect((await image(page, { headers: { cookie: user.cookie } })).etag).toBe(etag);
      expect((await fetch(`${app.url + imageOf(page)}?v=2`)).headers.get("etag")).toBe(etag);
      expect((await image(page, { headers: { "if-none-match": etag! } })).status).toBe(304);
      expect((await image(page, { method: "HEAD" })).bytes.length).toBe(0);
    });
    expect(statements).toEqual([]);
  });

  test("responds 404 for an unknown page, and for a user who is not a psychologist", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    for (const page of [`/consulta/${id}`, `/usuario/${id}`, `/psicologo/${(await app.person()).id}`])
      expect((await image(page)).status, page).toBe(404);
  });

  test("responds 503 with Retry-After to some of 60 concurrent first requests", async () => {
    const psychologists = await Promise.all(Array.from({ length: 60 }, () => app.person({ type: "psychologist" })));
    const responses = await Promise.all(psychologists.map(({ id }) => image(`/psicologo/${id}`)));
    const refused = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(17);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get("retry-after")).toBe("5");
    // It recovers, and pages were never affected.
    expect((await image(`/psicologo/${psychologists.at(-1)!.id}`)).status).toBe(200);
  });
});

test("the image changes after the first answer, the upload of a photo and a deletion", async () => {
  const author = await app.person();
  const psychologist = await app.person({ type: "psychologist" });
  const id = await ask(app, author);
  const [consultation, profile] = [`/consulta/${id}`, `/psicologo/${psychologist.id}`];
  const before = [await etagOf(consultation), await etagOf(profile)];
  await publishAnswer(app, id, psychologist);
  await expect.poll(() => etagOf(consultation), { timeout: 1_000, interval: 50 }).not.toBe(before[0]);
  expect((await upload(app, await photo(), psychologist)).status).toBe(201);
  expect(await etagOf(profile)).not.toBe(before[1]);
  expect((await app.call("DELETE", `/consultations/${id}`, undefined, author)).status).toBe(200);
  expect((await image(consultation)).status).toBe(410);
});

test.each([
  ["Estoy triste 😢👨‍👩‍👧 hoy", "Estoy triste hoy"],
  ["al \u202Eséver\u202C fin", "al séver fin"],
  ["שלום עולם", ""],
  ["Šćepanović, Łukasz y Nguyễn", "Šćepanović, Łukasz y Nguyen"],
  ["«¿Qué?» — “sí”… 20 €", "«¿Qué?» — “sí”… 20 €"],
  ["línea\n\tdos\u0000\u00AD", "línea dos"],
])("the image shows %j as %j", (text, shown) => {
  expect(drawable(text)).toBe(shown);
});
