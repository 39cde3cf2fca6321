import "./react-warnings.ts";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Answer, openTestApp, type TestApp, type TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { sampleOf } from "./hostile-input.ts";
import { operations } from "./operations.ts";
import { addressOf, pages } from "./pages.ts";
import { ALWAYS, expectHeaders, hashOf, inlineScripts, policyOf } from "./response-headers.ts";
import { ask, publishAnswer, putVote } from "./threads.ts";

let app: TestApp;
let user: TestUser;
let psychologist: TestUser;
let admin: TestUser;
let consultation: string;
let answer: string;

/** True to make every operation throw an unexpected error. */
let broken = false;
beforeAll(async () => {
  app = await openTestApp({
    overrides: {
      rateLimits: {
        check: async () => {},
        trySpend: async () => null,
        reset: async () => {},
        spend: async () => {
          if (broken) throw new Error("a fault");
        },
      },
    },
  });
  user = await app.person({ name: "Persona </script><script>alert(1)</script>" });
  psychologist = await app.person({ type: "psychologist" });
  admin = await app.admin();
  consultation = await ask(app, await app.person(), {
    title: "¿</script><script>alert(1)</script>?",
    content: "Un texto con <img src=x onerror=alert(1)> y más de veinte caracteres.",
  });
  answer = await publishAnswer(app, consultation, psychologist, "<b>Sí</b>");
});
afterAll(() => app.close());
afterEach(() => {
  broken = false;
});

const at = (path: string) => addressOf(path, { consultation, answer, psychologist: psychologist.id });
const addresses = pages.filter(({ path }) => !path.includes("*")).map(({ path }) => [path] as const);
const everyone = () => [null, user, psychologist, admin];
let turn = 0;
/** A visitor and one account, each in turn; in the full run all accounts. */
const viewers = () => (FULL_RUN ? everyone() : [null, everyone()[1 + (turn++ % 3)]!]);

/** Expects that HEAD responds with the headers of GET and no body. */
async function expectSameHead(path: string, get: Answer): Promise<void> {
  const head = await app.page(path, null, { method: "HEAD" });
  expect(head.status).toBe(get.status);
  expect(head.text).toBe("");
  for (const name of [...Object.keys(ALWAYS), "content-type", "cache-control"])
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
}

describe("pages", () => {
  test.each(sampleOf(addresses, 2))("%s sends the security headers to every viewer, and with HEAD", async (path) => {
    for (const as of viewers()) {
      const got = await app.page(at(path), as);
      expectHeaders(got, `${path} ${got.status}`);
      expect(got.status).toBeLessThan(500);
      // A page of a signed-in user is private. All other pages require revalidation.
      expect(got.headers.get("cache-control"), path).toMatch(
        as ? /^private, no-store$/ : /^(no-cache|no-store|private, no-store)$/,
      );
      expect(got.headers.get("vary")).toMatch(/\bCookie\b/);
      if (!as) await expectSameHead(at(path), got);
    }
  });

  // By the response length, an attacker could otherwise compare a chosen parameter with the ids on the page.
  test.each(sampleOf(addresses, 2))("%s does not repeat an unknown parameter", async (path) => {
    const query = "?x=canary7131&pais=Chile&pais=canary7131&__proto__=canary7131";
    // The HTML also contains the page's data.
    for (const as of viewers())
      for (const form of FULL_RUN ? ["", ".data"] : [""]) {
        const got = await app.page(`${at(path).replace(/^\/$/, form && "/_")}${form}${query}`, as);
        if (got.status < 300 || got.status >= 400) expect(got.text, `${path}${form}`).not.toContain("canary7131");
      }
  });

  test("redirects the theme form to the referring page of the same site", async () => {
    expect((await app.page("/", user)).text).not.toContain("return_to");
    const from = (referer: string) => app.form("/tema", { theme: "dark" }, user, { referer });
    expect((await from(`${app.url}/perfil?dias=90`)).headers.get("location")).toBe("/perfil?dias=90");
    expect((await from("https://elsewhere.example/perfil")).headers.get("location")).toBe("/");
  });

  test("sends the security headers with data requests of the router", async () => {
    for (const path of [
      "/_.data",
      `/consulta/${consultation}.data`,
      `/psicologo/${psychologist.id}.data`,
      "/admin.data",
      "/nada.data",
    ])
      for (const as of everyone()) {
        const got = await app.page(path, as);
        expectHeaders(got, `${path} ${got.status}`);
        if (as) expect(got.headers.get("cache-control"), path).toBe("private, no-store");
      }
  });

  test("lists the hash of every inline script in the page's policy", async () => {
    for (const path of ["/", `/consulta/${consultation}`, "/nada"]) {
      const { headers, text } = await app.page(path);
      const scripts = inlineScripts(text).filter(Boolean);
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(policyOf(headers)).toContain(hashOf(script));
      expect(policyOf(headers)).toContain("'strict-dynamic'");
    }
  });

  test("escapes script and img tags in texts of users", async () => {
    for (const path of ["/", `/consulta/${consultation}`])
      for (const as of everyone()) {
        const { text } = await app.page(path, as);
        expect(text).not.toContain("</script><script>alert(1)");
        expect(text).not.toMatch(/<img[^>]+onerror/);
      }
  });

  test("sends Cache-Control: private, no-store for a page with a flash message", async () => {
    const got = await app.page("/", { cookie: "notice=welcome" } as TestUser);
    expect(got.headers.get("set-cookie")).toContain("notice=;");
    expect(got.headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("the API", () => {
  test.each(sampleOf(operations, 3))(
    "$method $path sends the security headers and Cache-Control: private, no-store",
    async ({ method, path }) => {
      const id = path.startsWith("/psych") ? psychologist.id : path.startsWith("/answers") ? answer : consultation;
      for (const as of viewers()) {
        const got = await app.call(method, path.replace("{id}", id), method === "GET" ? undefined : { nope: 1 }, as);
        expectHeaders(got, `${path} ${got.status}`);
        expect(got.headers.get("cache-control")).toBe("private, no-store");
        expect(got.headers.get("content-type")).toMatch(/^application\/json/);
      }
    },
  );

  test("responds to HEAD like to GET, without a body", async () => {
    for (const path of ["/consultations", `/consultations/${consultation}`, "/session"]) {
      const got = await app.page(`/api${path}`, null, { method: "HEAD" });
      expectHeaders(got, path);
      expect([path, got.status]).toEqual([path, 200]);
      expect(got.text).toBe("");
    }
  });
});

describe("errors", () => {
  const form = (body: string) => ({
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  test.each<[number, string, RequestInit]>([
    [404, "/nada", {}],
    [404, "/consulta/not-an-id", {}],
    [404, "/assets/nothing.js", {}],
    [404, "/favicon.ico", {}],
    [404, "/api/nada", {}],
    [404, "/api/consultations/not-an-id", {}],
    [404, "/.env", {}],
    [405, "/api/consultations", { method: "DELETE" }],
    [405, "/", { method: "PUT" }],
    [405, "/", form("a=1")],
    [405, "/healthz", { method: "OPTIONS" }],
    [403, "/api/session", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }],
    [403, "/auth", { ...form("a=1"), headers: { "sec-fetch-site": "cross-site" } }],
    [401, "/api/weekly-limit", {}],
    [
      413,
      "/api/session",
      { method: "POST", body: "a".repeat(70_000), headers: { "content-type": "application/json" } },
    ],
    [413, "/auth", form("a".repeat(70_000))],
    [415, "/api/session", { method: "POST", body: "a" }],
    [415, "/auth", { method: "POST", body: "a" }],
    [400, "/api/session", { method: "POST", body: "{", headers: { "content-type": "application/json" } }],
    [400, "/auth", { method: "POST", body: "--x", headers: { "content-type": "multipart/form-data; boundary=x" } }],
    [422, "/api/session", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
    [422, "/auth", form("intent=sign_in")],
    [302, "/?cursor=abc", {}],
    [410, "/auth/confirmar?token=abc", {}],
    [302, "/nueva-consulta", {}],
    [302, "/salir", {}],
    [302, "/tema", form("theme=dark")],
    [302, `/consulta/${"0f8fad5b-d9cb-469f-a165-70867728950e"}/voto`, form("vote=up")],
  ])("sends the security headers with the status %i of %s (%#)", async (status, path, init) => {
    const got = await app.page(path, null, init);
    expect(got.status).toBe(status);
    expectHeaders(got, path);
    if (status === 405) expect(got.headers.get("allow") ?? "a page").toBeTruthy();
  });

  test("sends the security headers with a 500 that contains no details of the error", async () => {
    broken = true;
    const outcomes = [
      await putVote(app, "consultations", consultation, user),
      await app.call("POST", "/session", { email: "a@example.com", password: "una clave larga" }),
      await app.form(`/consulta/${consultation}/voto`, { vote: "up" }, user),
      await app.form("/auth", { intent: "sign_in", email: "a@example.com", password: "una clave larga" }),
    ];
    for (const got of outcomes) {
      expect(got.status).toBe(500);
      expectHeaders(got, got.text.slice(0, 80));
      expect(got.text).not.toContain("a fault");
      expect(got.text).not.toMatch(/\bat .*\.[jt]s:\d+/);
    }
    expect(outcomes[0]!.body).toEqual({ code: "internal_error" });
    const written = app.log.map((line) => JSON.parse(line)).filter(({ event }) => event === "unexpected");
    expect(written.length).toBeGreaterThanOrEqual(4);
    expect(written[0]).toMatchObject({ level: 50, where: "consultations.vote", name: "Error" });
  });

  test("sends the security headers with a 503 while tables are locked, with Retry-After: 5", async () => {
    // Fixes the clock, so that the failed count of the community is not cached for 10 s.
    app.setNow(new Date());
    const blocker = new pg.Client(app.databaseUrl);
    await blocker.connect();
    await blocker.query("begin; lock table consultations, sessions in access exclusive mode");
    const outcomes = await Promise.all([
      app.call("GET", "/consultations"),
      app.call("GET", "/session", undefined, user),
      app.page("/"),
      app.page("/", user),
      app.page("/", user, { headers: { accept: "text/html" } }),
      app.page(`/consulta/${consultation}.data`),
    ]).finally(() => blocker.end());
    for (const [i, got] of outcomes.entries()) {
      expect([i, got.status]).toEqual([i, 503]);
      expectHeaders(got, `${i}`);
    }
    for (const got of outcomes.slice(0, 2)) {
      expect(got.body).toEqual({ code: "unavailable", details: { retry_after_seconds: 5 } });
      expect(got.headers.get("retry-after")).toBe("5");
    }
    expect(outcomes[4]!.text).toContain("no está disponible en este momento");
    expect((await app.page("/", user)).status).toBe(200);
    app.setNow(null);
  });
});

describe("files", () => {
  test("sends the security headers, the content type and a cache lifetime of one year with files of pages", async () => {
    const { text } = await app.page("/");
    const files = [...new Set([...text.matchAll(/\/assets\/[\w.-]+\.(?:js|css|woff2)/g)].map(([file]) => file))];
    expect(files.some((file) => file.endsWith(".js"))).toBe(true);
    expect(files.some((file) => file.endsWith(".css"))).toBe(true);
    expect(files.some((file) => file.endsWith(".woff2"))).toBe(true);
    const types: Record<string, RegExp> = {
      js: /^text\/javascript; ?charset=utf-8$/,
      css: /^text\/css; ?charset=utf-8$/,
      woff2: /^font\/woff2$/,
    };
    for (const file of files) {
      const got = await app.page(file);
      expect(got.status).toBe(200);
      expectHeaders(got, file);
      expect(got.headers.get("content-type")).toMatch(types[file.split(".").at(-1)!]!);
      expect(got.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(got.headers.get("set-cookie")).toBeNull();
    }
  });

  test("sends the security headers with the icon", async () => {
    const got = await app.page("/favicon.svg");
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expectHeaders(got, "favicon");
  });

  test.each(["/healthz", "/api/openapi.json"])("sends the security headers with %s", async (path) => {
    const got = await app.page(path);
    expect(got.status).toBe(200);
    expectHeaders(got, path);
  });

  test.each([
    "/assets/../server/index.js",
    "/assets/..%2f..%2fserver%2findex.js",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/server/index.js",
    "/build/server/index.js",
    "/package.json",
    "/assets/",
    "/assets",
    "/assets/root.js.map",
  ])("responds with an error to %s", async (path) => {
    const got = await app.page(path);
    expect(got.status).toBeGreaterThanOrEqual(400);
    expectHeaders(got, path);
  });
});
