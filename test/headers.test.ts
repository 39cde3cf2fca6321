import pg from "pg";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer, TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { sampleOf } from "./hostile-input.ts";
import { operations } from "./operations.ts";
import { addressOf, pages } from "./pages.ts";
import { ALWAYS, expectHeaders } from "./response-headers.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, putVote } from "./threads.ts";

/**
 * Makes React print warnings on the console, which fails the test. It is slower, so other tests render in production
 * mode.
 */
process.env.NODE_ENV = "test";

/** True to make every operation throw an unexpected error. */
let broken = false;
const spend = async () => {
  if (broken) throw new Error("a fault");
};
const app = setUpTestApp({
  overrides: { rateLimits: { check: async () => {}, trySpend: async () => null, reset: async () => {}, spend } },
});
const user = setUpOnce(() => app.person({ name: "Persona </script><script>alert(1)</script>" }));
const psychologist = setUpOnce(() => app.person({ type: "psychologist" }));
const admin = setUpAdmin(app);
let consultation: string;
let answer: string;
beforeAll(async () => {
  consultation = await ask(app, await app.person(), {
    title: "¿</script><script>alert(1)</script>?",
    content: "Un texto con <img src=x onerror=alert(1)> y más de veinte caracteres.",
  });
  answer = await publishAnswer(app, consultation, psychologist, "<b>Sí</b>");
});
afterEach(() => {
  broken = false;
});

const at = (path: string) => addressOf(path, { consultation, answer, psychologist: psychologist.id });
const addresses = pages.filter(({ path }) => !path.includes("*")).map(({ path }) => [path] as const);
const everyone = () => [null, user, psychologist, admin];
let turn = 0;
/** A visitor and one account, each in turn; in the full run all accounts. */
const viewers = () => (FULL_RUN ? everyone() : [null, everyone()[1 + (turn++ % 3)]!]);

async function expectSameHead(path: string, get: Answer): Promise<void> {
  const head = await app.page(path, null, { method: "HEAD" });
  expect(head.status).toBe(get.status);
  expect(head.text).toBe("");
  for (const name of [...Object.keys(ALWAYS), "content-type", "cache-control"])
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
}

describe("pages", () => {
  test.each(sampleOf(addresses, 2))("%s sends the security headers and repeats no unknown parameter", async (path) => {
    for (const as of viewers()) {
      const got = await app.page(at(path), as);
      expectHeaders(got, `${path} ${got.status}`);
      expect(got.status).toBeLessThan(500);
      // A page of a signed-in user is private. All other pages require revalidation.
      expect(got.headers.get("cache-control"), path).toMatch(
        as ? /^private, no-store(, no-transform)?$/ : /^(no-cache|no-store|private, no-store)$/,
      );
      expect(got.headers.get("vary")).toMatch(/\bCookie\b/);
      if (!as) await expectSameHead(at(path), got);
      // By the response length, an attacker could otherwise compare a chosen parameter with the ids on the page. The HTML
      // also contains the page's data.
      const query = "?x=canary7131&pais=Chile&pais=canary7131&__proto__=canary7131";
      const asked = await app.page(at(path) + query, as);
      if (asked.status < 300 || asked.status >= 400) expect(asked.text, path).not.toContain("canary7131");
    }
  });

  test("stores the theme, and redirects its form to the referring page of the same site", async () => {
    expect((await app.page("/", user)).text).not.toContain("return_to");
    const from = (referer: string) => app.form("/tema", { theme: "dark" }, user, { referer });
    const { headers } = await from(`${app.url}/perfil?dias=90`);
    expect([headers.get("location"), headers.get("set-cookie")]).toEqual([
      "/perfil?dias=90",
      expect.stringContaining("theme=dark;"),
    ]);
    expect((await from("https://elsewhere.example/perfil")).headers.get("location")).toBe("/");
  });

  test("sends the security headers with data requests of the router, which repeat no unknown parameter", async () => {
    for (const path of ["/_", `/consulta/${consultation}`, `/psicologo/${psychologist.id}`, "/admin", "/nada"].map(
      (page) => `${page}.data`,
    ))
      for (const as of everyone()) {
        const got = await app.page(path, as);
        expectHeaders(got, `${path} ${got.status}`);
        if (as) expect(got.headers.get("cache-control"), path).toBe("private, no-store, no-transform");
        expect((await app.page(`${path}?x=canary7131`, as)).text, path).not.toContain("canary7131");
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
        expect(got.headers.get("cache-control")).toBe(`private, no-store${as ? ", no-transform" : ""}`);
        expect(got.headers.get("content-type")).toMatch(/^application\/json/);
        if (method === "GET" && !as) await expectSameHead(`/api${path.replace("{id}", id)}`, got);
      }
    },
  );
});

describe("errors", () => {
  const sent = (type: string) => (body: string) => ({ method: "POST", body, headers: { "content-type": type } });
  const [form, json] = [sent("application/x-www-form-urlencoded"), sent("application/json")];
  const NOT_FOUND = "/nada /consulta/not-an-id /assets/nothing.js /favicon.ico /api/nada /api/consultations/x /.env";
  test.each<[number, string, RequestInit]>([
    ...["/healthz", "/api/openapi.json", "/favicon.svg"].map((path): [number, string, object] => [200, path, {}]),
    ...NOT_FOUND.split(" ").map((path): [number, string, object] => [404, path, {}]),
    [405, "/api/consultations", { method: "DELETE" }],
    [405, "/", { method: "PUT" }],
    [405, "/", form("a=1")],
    [405, "/healthz", { method: "OPTIONS" }],
    [403, "/api/session", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }],
    [403, "/auth", { ...form("a=1"), headers: { "sec-fetch-site": "cross-site" } }],
    [401, "/api/weekly-limit", {}],
    [413, "/api/session", json("a".repeat(70_000))],
    [413, "/auth", form("a".repeat(70_000))],
    [415, "/api/session", { method: "POST", body: "a" }],
    [415, "/auth", { method: "POST", body: "a" }],
    [400, "/api/session", json("{")],
    [400, "/auth", { method: "POST", body: "--x", headers: { "content-type": "multipart/form-data; boundary=x" } }],
    [422, "/api/session", json("{}")],
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
    const secret = { email: "a@example.com", password: "una clave larga" };
    const outcomes = [
      await putVote(app, "consultations", consultation, user),
      await app.call("POST", "/session", secret),
      await app.form(`/consulta/${consultation}/voto`, { vote: "up" }, user),
      await app.form("/auth", { intent: "sign_in", ...secret }),
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
    expect(written[0].where).toBe("consultations.vote");
  });

  test("sends the security headers and Retry-After: 5 with a 503 while tables are locked, and shows help at once", async () => {
    const blocker = new pg.Client(app.databaseUrl);
    await blocker.connect();
    await blocker.query("begin; lock table consultations, sessions in access exclusive mode");
    let refused = 0;
    const others = [
      app.call("GET", "/consultations"),
      app.call("GET", "/session", undefined, user),
      app.page("/"),
      app.page("/", user),
      app.page("/", user, { headers: { accept: "text/html" } }),
      app.page(`/consulta/${consultation}.data`),
    ].map((response) => response.finally(() => refused++));
    for (const help of await Promise.all([app.page("/ayuda", user), app.page("/ayuda.data", user)])) {
      expect(help.status).toBe(200);
      expect(help.text).toContain("0800 0767");
    }
    expect(refused, "responses before the help").toBe(0);
    const outcomes = await Promise.all(others).finally(() => blocker.end());
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
  });
});
