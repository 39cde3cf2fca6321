import "./react-warnings.ts";
import { createHash } from "node:crypto";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { type Finding, Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import pages from "#app/routes.ts";
import { contract } from "#shared/contract.ts";
import { type Answer, openTestApp, type Person, type TestApp } from "./app.ts";
import { ask, postAnswer, putVote } from "./threads.ts";

let app: TestApp;
let user: Person;
let psychologist: Person;
let admin: Person;
let consultation: string;
let answer: string;
/** While set, what an operation does first fails in a way that no one foresaw. */
let broken = false;
beforeAll(async () => {
  app = await openTestApp({
    overrides: {
      rateLimits: {
        check: async () => {},
        trySpend: async () => true,
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
  answer = (await postAnswer(app, consultation, psychologist, "<b>Sí</b>")).body.id;
});
afterAll(() => app.close());
afterEach(() => {
  broken = false;
});

/** What every response carries, whatever it is. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
];

/** The inline scripts of a page that a browser would run. */
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(([, attributes = ""]) => !/\bsrc=/i.test(attributes) && !/type="application\/(ld\+)?json"/.test(attributes))
    .map(([, , body = ""]) => body);

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

const policyOf = (headers: Headers) => headers.get("content-security-policy") ?? "";

/** Everything that holds for any response. */
function expectHeaders({ headers, text }: Pick<Answer, "headers" | "text">, what: string) {
  const seen = Object.fromEntries(Object.keys(ALWAYS).map((name) => [name, headers.get(name)]));
  expect(seen, what).toEqual(ALWAYS);
  // The pages around a payment talk to the window that they open.
  expect(headers.get("cross-origin-opener-policy"), what).toBe(
    /^\/planes(\/| |$)/.test(what) ? "unsafe-none" : "same-origin",
  );
  expect(headers.get("referrer-policy"), what).toMatch(/^(strict-origin-when-cross-origin|no-referrer|same-origin)$/);
  expect(headers.get("strict-transport-security"), what).toBeNull();
  for (const telling of ["server", "x-powered-by", "access-control-allow-origin", "via"])
    expect(headers.get(telling), what).toBeNull();

  const directives = policyOf(headers).split("; ");
  expect(
    directives.map((part) => (part.startsWith("script-src ") ? "script-src 'self'" : part)),
    what,
  ).toEqual(POLICY);
  const html = headers.get("content-type")?.startsWith("text/html");
  const scripts = directives.find((part) => part.startsWith("script-src "))!;
  const hashes = scripts.match(/'sha256-[^']+'/g) ?? [];
  const inside = html ? inlineScripts(text) : [];
  expect(new Set(hashes), what).toEqual(new Set(inside.filter(Boolean).map(hashOf)));
  expect(scripts, what).toBe(
    hashes.length ? `script-src 'self' ${hashes.join(" ")} 'strict-dynamic'` : "script-src 'self'",
  );

  const type = headers.get("content-type");
  if (text !== "") expect(type, what).not.toBeNull();
  // The router's own data are read as UTF-8 by the router, whatever they are called.
  if (type?.startsWith("text/") && type !== "text/x-script")
    expect(type.toLowerCase().replace("; ", ";"), what).toMatch(/;charset=utf-8$/);
  if (html) {
    expect(text, what).toMatch(/^<!doctype html>/i);
    // What the policy forbids anyway is not written in the first place.
    expect(text, what).not.toMatch(/<[^>]+\son\w+="/i);
    expect(text, what).not.toMatch(/(href|src|action)="(javascript|data|vbscript):/i);
    expect(text, what).not.toContain("<script>alert(1)");
  }
}

/** Findings that csp_evaluator takes seriously. */
const serious = (policy: string): Finding[] =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => [Severity.HIGH, Severity.SYNTAX, Severity.MEDIUM].includes(severity));

const flat = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap((entry) => [`/${entry.path ?? ""}`, ...flat(entry.children ?? [])]);
const at = (path: string) =>
  path.replace(
    ":id",
    path.startsWith("/respuesta") ? answer : path.startsWith("/psicologo") ? psychologist.id : consultation,
  );
const addresses = flat(pages as RouteConfigEntry[])
  .filter((path) => !path.includes("*"))
  .map((path) => [path] as const);
const everyone = () => [null, user, psychologist, admin];

describe("pages", () => {
  test.each(addresses)("%s carries the whole set, to everyone", async (path) => {
    for (const as of everyone()) {
      const got = await app.page(at(path), as);
      expectHeaders(got, `${path} ${got.status}`);
      expect(got.status).toBeLessThan(500);
      // A user's page is private; no page may be cached without revalidation.
      expect(got.headers.get("cache-control"), path).toMatch(
        as ? /^private, no-store$/ : /^(no-cache|no-store|private, no-store)$/,
      );
      expect(got.headers.get("vary")).toMatch(/\bCookie\b/);
    }
  });

  test.each(addresses)("%s answers HEAD with the same headers and no body", async (path) => {
    const [get, head] = [await app.page(at(path)), await app.page(at(path), null, { method: "HEAD" })];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe("");
    for (const name of [...Object.keys(ALWAYS), "content-type", "cache-control"])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
  });

  test("the data requests of the router carry it too", async () => {
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

  test("every inline script stands in the policy of its page, and the pages do have some", async () => {
    for (const path of ["/", `/consulta/${consultation}`, "/nada"]) {
      const { headers, text } = await app.page(path);
      const scripts = inlineScripts(text).filter(Boolean);
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(policyOf(headers)).toContain(hashOf(script));
      expect(policyOf(headers)).toContain("'strict-dynamic'");
    }
  });

  test("what people wrote ends no script and opens none", async () => {
    for (const path of ["/", `/consulta/${consultation}`])
      for (const as of everyone()) {
        const { text } = await app.page(path, as);
        expect(text).not.toContain("</script><script>alert(1)");
        expect(text).not.toMatch(/<img[^>]+onerror/);
      }
  });

  test("a page with a message shown once is no one else's", async () => {
    const got = await app.page("/", { cookie: "notice=welcome" } as Person);
    expect(got.headers.get("set-cookie")).toContain("notice=;");
    expect(got.headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("the API", () => {
  const operations = Object.values(contract).flatMap((group) =>
    Object.values(group).map((procedure) => {
      const { method = "GET", path = "/" } = procedure["~orpc"].route;
      return [`${method} ${path}`, method, path] as const;
    }),
  );

  test.each(operations)("%s carries the whole set and is kept by no one", async (_name, method, path) => {
    const id = path.startsWith("/psych") ? psychologist.id : path.startsWith("/answers") ? answer : consultation;
    for (const as of everyone()) {
      const got = await app.call(method, path.replace("{id}", id), method === "GET" ? undefined : { nope: 1 }, as);
      expectHeaders(got, `${path} ${got.status}`);
      expect(got.headers.get("cache-control")).toBe("private, no-store");
      expect(got.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });

  test("answers HEAD where it answers GET", async () => {
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
  ])("%i of %s carries the whole set (%#)", async (status, path, init) => {
    const got = await app.page(path, null, init);
    expect(got.status).toBe(status);
    expectHeaders(got, path);
    if (status === 405) expect(got.headers.get("allow") ?? "a page").toBeTruthy();
  });

  test("500 carries the whole set and tells nothing of what went wrong", async () => {
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
    expect(outcomes[0]!.body).toEqual({ code: "unexpected" });
    // It is recorded, for those who can repair it.
    const written = app.log.map((line) => JSON.parse(line)).filter(({ event }) => event === "unexpected");
    expect(written.length).toBeGreaterThanOrEqual(4);
    expect(written[0]).toMatchObject({ level: 50, where: "consultations.vote", name: "Error" });
  });

  test("503 while the database makes everyone wait carries the whole set and says when to try again", async () => {
    // The clock stands still: a count of the community that failed is not kept for its ten seconds.
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
      expect(got.body).toEqual({ code: "unavailable", facts: { retry_after_seconds: 5 } });
      expect(got.headers.get("retry-after")).toBe("5");
    }
    expect(outcomes[4]!.text).toContain("no está disponible en este momento");
    expect((await app.page("/", user)).status).toBe(200);
    app.setNow(null);
  });
});

describe("files", () => {
  test("of the pages carry the whole set, their type and a year to be kept", async () => {
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

  test("beside the pages carry it too", async () => {
    const got = await app.page("/favicon.svg");
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expectHeaders(got, "favicon");
  });

  test.each(["/healthz", "/api/openapi.json"])("%s too", async (path) => {
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
  ])("%s is not given away", async (path) => {
    const got = await app.page(path);
    expect(got.status).toBeGreaterThanOrEqual(400);
    expectHeaders(got, path);
  });
});

describe("the policy", () => {
  test("has nothing that its evaluator takes seriously, on any kind of response", async () => {
    const policies = new Set<string>();
    for (const path of [
      "/",
      "/home",
      "/auth",
      `/consulta/${consultation}`,
      "/nada",
      "/api/session",
      "/favicon.svg",
      "/healthz",
    ])
      policies.add(policyOf((await app.page(path)).headers));
    expect(policies.size).toBeGreaterThan(3);
    for (const policy of policies)
      expect(serious(policy).map(({ description, directive, value }) => [directive, value, description])).toEqual([]);
  });

  test("would be found wanting if anything inline could run", () => {
    expect(serious("default-src 'none'; script-src 'self' 'unsafe-inline'")).not.toEqual([]);
    expect(serious("script-src *")).not.toEqual([]);
  });
});

describe("with an https address", () => {
  let secure: TestApp;
  beforeAll(async () => {
    secure = await openTestApp({ environment: { PUBLIC_URL: "https://divan.test" } });
  });
  afterAll(() => secure.close());

  test("every response asks for https for two years, errors and redirects too", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/nada", 404],
      ["/nueva-consulta", 302],
      ["/api/session", 200],
      ["/api/nada", 404],
      ["/favicon.svg", 200],
      ["/healthz", 200],
    ] as const) {
      const got = await secure.page(path);
      expect([path, got.status]).toEqual([path, status]);
      expect(got.headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    }
  });

  test("cookies are __Host-, Secure, HttpOnly and SameSite, and a plain one names no one", async () => {
    const person = await secure.person();
    const host = { cookie: `__Host-${person.cookie}` } as Person;
    expect((await secure.call("GET", "/session", undefined, person)).body.user).toBeNull();
    expect((await secure.call("GET", "/session", undefined, host)).body.user.id).toBe(person.id);
    const out = await secure.call("DELETE", "/session", {}, host, { "sec-fetch-site": "same-origin" });
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie().length).toBeGreaterThan(0);
    for (const cookie of out.headers.getSetCookie())
      expect(cookie).toMatch(/^__Host-\w+=[^;]*; Max-Age=\d+; Path=\/; SameSite=Lax; HttpOnly; Secure$/);
  });

  test("addresses in pages are the configured ones, whatever the request says", async () => {
    const id = await secure
      .call(
        "POST",
        "/consultations",
        {
          title: "Una pregunta",
          content: "Un texto de más de veinte caracteres.",
          country: "Chile",
          is_anonymous: true,
        },
        { cookie: `__Host-${(await secure.person()).cookie}` } as Person,
        { "sec-fetch-site": "same-origin" },
      )
      .then(({ body }) => body.id);
    const got = await secure.page(`/consulta/${id}`, null, {
      headers: {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example",
        "x-original-url": "/admin",
      },
    });
    expect(got.status).toBe(200);
    expect(got.text).toContain(`https://divan.test/consulta/${id}`);
    expect(got.text).not.toContain("evil.example");
  });
});

describe("where PayPal is set up", () => {
  const HOSTS = "https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com";
  let shop: TestApp;
  let buyer: Person;
  beforeAll(async () => {
    shop = await openTestApp({
      environment: {
        PAYPAL_CLIENT_ID: "client",
        PAYPAL_CLIENT_SECRET: "secret",
        PAYPAL_WEBHOOK_ID: "WH-1",
        PAYPAL_PLAN_MONTHLY: "P-MONTHLY",
        PAYPAL_PLAN_LIFETIME: "P-LIFETIME",
      },
    });
    buyer = await shop.person({ type: "psychologist" });
  });
  afterAll(() => shop.close());
  const nonceIn = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1] ?? null;

  test("the plans may hold PayPal's script, and nothing else more than before", async () => {
    const { headers, text } = await shop.page("/planes", buyer);
    const policy = policyOf(headers);
    const nonce = nonceIn(policy)!;
    expect(nonce).toMatch(/^[\w-]{22}$/);
    const hashes = inlineScripts(text).filter(Boolean).map(hashOf);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'self' ${[...new Set(hashes)].join(" ")} 'nonce-${nonce}' 'strict-dynamic' ${HOSTS}`,
      `style-src 'self' 'unsafe-inline' ${HOSTS}`,
      "style-src-attr 'unsafe-inline'",
      `img-src 'self' blob: data: ${HOSTS}`,
      "font-src 'self'",
      `connect-src 'self' ${HOSTS}`,
      `frame-src ${HOSTS}`,
      `child-src ${HOSTS}`,
      "manifest-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
    ]);
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(serious(policy).map(({ description, value }) => [value, description])).toEqual([]);
    // The page itself knows the nonce, and the next page has another.
    expect(text).toContain(nonce);
    expect(nonceIn(policyOf((await shop.page("/planes", buyer)).headers))).not.toBe(nonce);
  });

  test("no other page and no other response has the wider policy", async () => {
    for (const path of ["/", "/perfil", "/planes.data", "/planes/otra", "/planesx", "/api/plans", "/nada"]) {
      const policy = policyOf((await shop.page(path, buyer)).headers);
      expect([path, policy.includes("paypal"), nonceIn(policy)]).toEqual([path, false, null]);
    }
  });

  test("a stand-in of PayPal on this machine is let in instead of PayPal", async () => {
    const local = await openTestApp({
      environment: {
        PAYPAL_CLIENT_ID: "client",
        PAYPAL_CLIENT_SECRET: "secret",
        PAYPAL_WEBHOOK_ID: "WH-1",
        PAYPAL_PLAN_MONTHLY: "P-MONTHLY",
        PAYPAL_PLAN_LIFETIME: "P-LIFETIME",
        PAYPAL_API_BASE: "http://127.0.0.1:9/paypal",
        PAYPAL_SDK_BASE: "http://127.0.0.1:9",
      },
    });
    const policy = policyOf((await local.page("/planes")).headers);
    await local.close();
    expect(policy).toContain("frame-src http://127.0.0.1:9;");
    expect(policy).not.toContain("paypal.com");
  });
});
