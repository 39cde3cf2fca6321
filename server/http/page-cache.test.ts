/** The page cache for visitors (docs/decisions/0006). */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestUser } from "#test/app.ts";
import { putReview } from "#test/own-data.ts";
import { rawRequest as get } from "#test/raw-request.ts";
import { whileConnectionsAreRefused } from "#test/refused-connections.ts";
import { expectHeaders, hashOf } from "#test/response-headers.ts";
import { setUpOnce, setUpTestApp } from "#test/suite-setup.ts";
import { ask, askAnew, openThread, publishAnswer, publishReply, putVote } from "#test/threads.ts";

const NOW = new Date("2026-03-02T15:04:05.678Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const text = async (at: TestApp, path: string) => (await get(at, path)).body.toString();

const app = setUpTestApp({ pageCache: true });
const other = setUpOnce(() => openTestApp({ beside: app, pageCache: true }));
afterAll(() => other.close());
const heard = () => expect.poll(() => app.cache!.hearsChanges() && other.cache!.hearsChanges()).toBe(true);
beforeEach(async () => {
  for (const node of [app, other]) node.setNow(null);
  await heard();
});

/** True if a page is served without a database query. */
const isCached = async (at: TestApp, path: string, headers?: Record<string, string>) =>
  (await at.statementsDuring(() => get(at, path, headers))).length === 0;

describe("page for visitors", () => {
  test("renders once for 32 concurrent requests", async () => {
    const id = await ask(app, await app.person());
    const before = app.cache!.counted.renders;
    await Promise.all(Array.from({ length: 32 }, () => get(app, `/consulta/${id}`)));
    expect(app.cache!.counted.renders).toBe(before + 1);
    expect(await isCached(app, `/consulta/${id}`)).toBe(true);
  });

  test("sends the same headers plus body from the cache as from the framework, in every encoding", async () => {
    const path = `/consulta/${(await openThread(app)).consultation}`;
    app.setNow(new Date("2026-03-02T15:04:00.000Z"));
    const rendered = await get(app, path, { cookie: "notice=" });
    const plain = await get(app, path);
    expectHeaders({ headers: new Headers(plain.headers), text: plain.body.toString() }, path);
    const { etag, ...headers } = plain.headers;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(rendered.headers.etag).toBeUndefined();
    for (const name of ["date", "transfer-encoding", "content-length", "keep-alive", "vary"]) {
      delete headers[name];
      delete rendered.headers[name];
    }
    expect(headers).toEqual(rendered.headers);
    expect(plain.body.equals(rendered.body)).toBe(true);
    for (const [accepted, open] of [
      ["br", brotliDecompressSync],
      ["gzip, br;q=0", gunzipSync],
      ["gzip, deflate, br, zstd", brotliDecompressSync],
    ] as const) {
      const packed = await get(app, path, { "accept-encoding": accepted });
      expect(open(packed.body).equals(plain.body), accepted).toBe(true);
      expect(packed.headers["content-length"]).toBe(String(packed.body.length));
      expect(packed.headers.vary).toBe("Cookie, Accept-Encoding");
    }
  });

  test("responds 304 with the same policies to a matching If-None-Match, and without a body to HEAD", async () => {
    const { headers } = await get(app, "/");
    for (const known of [headers.etag!, `"another", ${headers.etag}`, headers.etag!.replace("W/", "")]) {
      const again = await get(app, "/", { "if-none-match": known });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      for (const name of ["etag", "cache-control", "content-security-policy", "vary", "referrer-policy"])
        expect(again.headers[name], name).toBe(headers[name]);
    }
    expect((await get(app, "/", { "if-none-match": '"another"' })).status).toBe(200);
    const head = await get(app, "/", {}, "HEAD");
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
  });

  test("expires after 5 min", async () => {
    const path = `/consulta/${await ask(app, await app.person())}`;
    app.setNow(NOW);
    expect(await isCached(app, path)).toBe(false);
    for (const seconds of [1, 60, 299]) {
      app.setNow(later(seconds));
      expect([seconds, await isCached(app, path)]).toEqual([seconds, true]);
    }
    app.setNow(later(300));
    expect(await isCached(app, path)).toBe(false);
  });

  test("differs by theme", async () => {
    const [light, dark] = await Promise.all(
      ["light", "dark"].map((theme) => get(app, "/", { cookie: `theme=${theme}` })),
    );
    expect(dark!.body.equals(light!.body)).toBe(false);
    expect((await get(app, "/", { cookie: "theme=dark; other=1" })).body.equals(dark!.body)).toBe(true);
  });

  test("contains its style sheets with their hashes in the policy if it may be the first page", async () => {
    for (const path of ["/", "/home", "/ayuda"]) {
      const { headers, body } = await get(app, path);
      const styles = [...body.toString().matchAll(/<style>([^<]*)<\/style>/g)].map(([, css]) => hashOf(css!));
      expect(styles.length, path).toBeGreaterThan(0);
      expect(headers["content-security-policy"]).toContain(`style-src 'self' ${styles.join(" ")};`);
      expect(body.toString()).not.toContain('<link rel="stylesheet"');
      expect(body.toString()).not.toMatch(/<link rel="modulepreload"(?! fetchpriority="low")/);
    }
    const { headers, body } = await get(app, `/consulta/${await ask(app, await app.person())}`);
    expect(body.toString()).toContain('<link rel="stylesheet"');
    expect(headers["content-security-policy"]).toContain("style-src 'self';");
  });

  test("uses the framework for a request with one of our cookies", async () => {
    for (const name of ["sid", "notice", "challenge", "registration", "check_mail"])
      for (const cookie of [`${name}=x`, `__Host-${name}=x`, `theme=dark;${name}=`, `a=1; ${name}=x; b=2`])
        expect((await get(app, "/", { cookie })).headers.etag, cookie).toBeUndefined();
    for (const cookie of ["device=x", "__Host-device=x", "_ga=GA1.2; theme=system", "mysid=1"])
      expect((await get(app, "/", { cookie })).headers.etag, cookie).toBeDefined();
  });

  test("uses the cache for known paths with known parameters", async () => {
    const id = await ask(app, await app.person());
    const lists = "/ /_.data /?vista=ranking /?pais=Uruguay&orden=votadas /?orden=pendientes /ayuda /terms".split(" ");
    for (const path of [...lists, `/consulta/${id}?orden=votadas`, `/consulta/${id}.data`])
      expect((await get(app, path)).headers.etag, path).toBeDefined();
    expect(await isCached(app, "/?orden=votadas&pais=Uruguay")).toBe(true);
  });
});

/** Reads a page until it shows a change. A read that begins 1 s after the change must show it. */
async function seenWithinASecond(read: () => Promise<boolean>): Promise<void> {
  const changed = performance.now();
  for (;;) {
    const began = performance.now();
    if (await read()) return;
    expect(began - changed, "milliseconds after the change").toBeLessThan(1_250);
  }
}

test("feed of a signed-in user reads the database once until a change", async () => {
  const reader = await app.person();
  const statements = async () => (await app.statementsDuring(() => app.page("/", reader))).length;
  const author = await app.person();
  await statements();
  const others = await statements();
  // Within the second in which data from one read is used.
  await ask(app, author, { title: "Una consulta para el listado de todos" });
  expect(await statements()).toBe(others + 1);
  expect((await app.page("/", reader)).text).toContain("Una consulta para el listado de todos");
});

describe("page after a change", () => {
  test("shows new votes, answers, replies, reviews and consultations on both nodes within 1 s", async () => {
    const thread = await openThread(app);
    const path = `/consulta/${thread.consultation}`;
    const pages = ["/", path, `/psicologo/${thread.psychologist.id}`, "/?vista=ranking"];
    await Promise.all([app, other].flatMap((node) => pages.map((page) => text(node, page))));
    const shows = (what: string | RegExp, where: string) => async () =>
      (await Promise.all([app, other].map((node) => text(node, where)))).every((page) =>
        typeof what === "string" ? page.includes(what) : what.test(page),
      );
    const colleague = await app.person({ type: "psychologist" });
    await publishAnswer(app, thread.consultation, colleague, "Una segunda respuesta, en la página.");
    await seenWithinASecond(shows("Una segunda respuesta, en la página.", path));
    await putReview(other, thread.psychologist, await app.person(), false);
    await seenWithinASecond(shows("1 reseña", path));
    await publishReply(other, thread.answer, await app.person(), "Una réplica, en la página.");
    await seenWithinASecond(shows("Una réplica, en la página.", path));
    await ask(other, await app.person(), { title: "La consulta más nueva de todas" });
    await seenWithinASecond(shows("La consulta más nueva de todas", "/"));
    for (let votes = 0; votes < 7; votes++)
      await putVote(app, "consultations", thread.consultation, await app.person());
    await seenWithinASecond(shows(/>7</, path));
    // Within the consultation's card of the list.
    await seenWithinASecond(shows(new RegExp(`${thread.consultation}((?!<article)[^])*>7<`), "/"));
  });

  test("never shows a changed text on the writer's node, nor on the other node after 250 ms", async () => {
    const author = await app.person();
    const psychologist = await app.person({ type: "psychologist", name: "Dra. Canario" });
    const consultation = await ask(app, author, { title: "Un título que se corrige pronto" });
    const answer = await publishAnswer(app, consultation, psychologist, "Una respuesta que se borra pronto.");
    const pages = ["/", `/consulta/${consultation}`, `/psicologo/${psychologist.id}`];
    const showing = async (node: TestApp, what: string) =>
      (await Promise.all(pages.map((page) => text(node, page)))).filter((page) => page.includes(what)).length;
    const goneFromOther = async (what: string) => {
      await new Promise((go) => setTimeout(go, 250));
      expect(await showing(other, what)).toBe(0);
    };
    await seenWithinASecond(async () => (await showing(app, "Un título que se corrige pronto")) === 3);
    expect(await showing(other, "Una respuesta que se borra pronto.")).toBe(2);

    const corrected = {
      title: "Otro título, ya corregido",
      content: "Un texto corregido, lo bastante largo.",
      country: "Chile",
      is_anonymous: true,
    };
    expect((await app.call("PATCH", `/consultations/${consultation}`, corrected, author)).status).toBe(200);
    expect(await showing(app, "Un título que se corrige pronto")).toBe(0);
    await goneFromOther("Un título que se corrige pronto");
    expect((await app.call("DELETE", `/answers/${answer}`, undefined, psychologist)).status).toBe(200);
    expect(await showing(app, "Una respuesta que se borra pronto.")).toBe(0);
    await goneFromOther("Una respuesta que se borra pronto.");
    expect((await other.call("DELETE", `/consultations/${consultation}`, undefined, author)).status).toBe(200);
    expect((await get(other, `/consulta/${consultation}`)).status).toBe(410);
    expect(await showing(other, "Otro título, ya corregido")).toBe(0);
  });

  test("discards a page whose render began before the change", async () => {
    const { author, id } = await askAnew(app, { title: "Un título durante el cambio" });
    const body = { title: "El otro título", content: "Un texto corregido, lo bastante largo.", country: "Chile" };
    for (let times = 0; times < 10; times++) {
      const reading = Promise.all(Array.from({ length: 4 }, () => text(app, `/consulta/${id}`)));
      const title = `El título ${times} de diez`;
      await app.call("PATCH", `/consultations/${id}`, { ...body, title, is_anonymous: true }, author);
      await reading;
      expect(await text(app, `/consulta/${id}`)).toContain(title);
    }
  });
});

test("sends no page of a signed-in user to another user or to a visitor", async () => {
  const thread = await openThread(app);
  const people = await Promise.all(
    ["Canaria Uno", "Canaria Dos"].map(async (name) => ({ name, person: await app.person({ name }) })),
  );
  await putVote(app, "consultations", thread.consultation, people[0]!.person);
  const pages = ["/", `/consulta/${thread.consultation}`, `/psicologo/${thread.psychologist.id}`];
  const read = async (path: string, as: { name: string; person: TestUser } | null) => {
    const { body, headers } = await get(app, path, as ? { cookie: as.person.cookie } : { cookie: "theme=dark" });
    return { as, path, page: body.toString(), headers };
  };
  for (let times = 0; times < 5; times++)
    for (const { as, page, headers, path } of await Promise.all(
      pages.flatMap((path) => [null, people[0]!, null, people[1]!].map((as) => read(path, as))),
    )) {
      for (const { name } of people) expect(page.includes(name), `${name} on ${path}`).toBe(as?.name === name);
      expect(/data-theme="dark"/.test(page)).toBe(as === null);
      expect(headers["cache-control"]).toBe(as ? "private, no-store, no-transform" : "no-cache");
    }
});

test("renders every page without notifications of changes, then serves no page from before the loss", async () => {
  const path = `/consulta/${await ask(app, await app.person(), { title: "El título de antes del silencio" })}`;
  await get(app, path);
  expect(await isCached(app, path)).toBe(true);
  await whileConnectionsAreRefused(app, "divan-pages", async (end) => {
    await expect.poll(async () => (await end()) === 0 && !app.cache!.hearsChanges()).toBe(true);
    // A page of the framework.
    await expect.poll(async () => (await get(app, path)).headers.etag).toBeUndefined();
    await app.sql("update consultations set title = 'El título de después' where id = $1", [path.split("/").at(-1)]);
    expect(await text(app, path)).toContain("El título de después");
  });
  await heard();
  expect(await text(app, path)).toContain("El título de después");
  await expect.poll(() => isCached(app, path)).toBe(true);
});
