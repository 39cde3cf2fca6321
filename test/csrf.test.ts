import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operations } from "./operations.ts";
import { pages } from "./pages.ts";
import { setUpAdmin, setUpTestApp } from "./suite-setup.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const EVIL = "https://evil.example";

const SENDERS: [from: string, headers: (own: string) => Record<string, string>, trusted: boolean][] = [
  ["our own page", (own) => ({ "sec-fetch-site": "same-origin", origin: own }), true],
  ["our own page in an older browser", (own) => ({ origin: own }), true],
  ["another site", () => ({ "sec-fetch-site": "cross-site", origin: EVIL }), false],
  ["another site that claims our origin", (own) => ({ "sec-fetch-site": "cross-site", origin: own }), false],
  ["another host of our domain", (own) => ({ "sec-fetch-site": "same-site", origin: own }), false],
  ["a typed URL", () => ({ "sec-fetch-site": "none" }), false],
  ["another site in an older browser", () => ({ origin: EVIL }), false],
  ["a page without origin", () => ({ origin: "null" }), false],
  ["a program without any of these headers", () => ({}), false],
  ["a page with our URL as the referrer only", (own) => ({ referer: `${own}/` }), false],
  ["a host whose name begins like ours", (own) => ({ origin: `${own}.evil.example` }), false],
  ["another port of ours", (own) => ({ origin: own.replace(/:\d+$/, ":1") }), false],
  ["our host by another scheme", (own) => ({ origin: own.replace("http:", "https:") }), false],
  ["two origins", (own) => ({ origin: `${own}, ${EVIL}` }), false],
  ["another site that forwards ours", (own) => ({ origin: EVIL, "x-original-origin": own }), false],
];

const filled = (path: string) => path.replace(/\{[^}]+\}|:\w+\??/g, randomUUID());

// A real sign-out would end the session of the other requests.
const writes = operations.filter(({ method, name }) => method !== "GET" && name !== "accounts.signOut");
const forms = pages.filter(
  ({ file, path }) =>
    path !== "/salir" &&
    /^export (async )?(function|const) action\b/m.test(
      readFileSync(join(import.meta.dirname, "..", "app", file), "utf8"),
    ),
);

/** Sends a request like a browser with the administrator's cookie, without headers of the test application. */
const send = (method: string, path: string, type: string, body: string, headers: Record<string, string>) =>
  fetch(app.url + path, {
    method,
    redirect: "manual",
    headers: { cookie: admin.cookie, "content-type": type, ...headers },
    body,
  });

/** Sends every write of the API and every form to this server. @returns the responses by name */
async function sendAll(headers: Record<string, string>) {
  const found: Record<string, { status: number; text: string; cookies: string[] }> = {};
  const add = async (name: string, answer: Response) => {
    found[name] = { status: answer.status, text: await answer.text(), cookies: answer.headers.getSetCookie() };
  };
  for (const { name, method, path } of writes)
    await add(name, await send(method, filled(`/api${path}`), "application/json", "{}", headers));
  for (const { path } of forms)
    for (const asked of [filled(path), `${path === "/" ? "/_" : filled(path)}.data`])
      await add(asked, await send("POST", asked, "application/x-www-form-urlencoded", "vote=up&intent=x", headers));
  return found;
}

async function amounts() {
  const tables = await app.sql<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' or (schemaname = 'pgboss' and tablename like 'job%')",
  );
  const rows = await app.sql(
    tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`).join(" union all "),
  );
  return rows.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
}

test("every write and every form refuses a request from another site with 403 and changes nothing", async () => {
  const before = await amounts();
  const found = await sendAll({ "sec-fetch-site": "cross-site", origin: EVIL });
  expect(Object.keys(found)).toEqual(expect.arrayContaining(["accounts.signUp", "admin.approve", "/auth"]));
  expect(Object.entries(found).filter(([, { status, cookies }]) => status !== 403 || cookies.length)).toEqual([]);
  for (const { name } of writes) expect(found[name]!.text).toBe('{"code":"cross_origin_request"}');
  expect(await amounts()).toEqual(before);
});

test("every write and every form accepts a request from our own page", async () => {
  const found = await sendAll({ "sec-fetch-site": "same-origin", origin: app.url });
  // React Router's own check of the origin responds "Bad Request".
  const refused = Object.entries(found).filter(([, { text }]) => /cross_origin_request|^Bad Request$/.test(text));
  expect(refused).toEqual([]);
});

test.each(SENDERS)(
  "a request from %s signs the user out only if trusted, and reads",
  async (_from, headersOf, trusted) => {
    const headers = headersOf(app.url);
    for (const [method, path, type, body] of [
      ["POST", "/salir", "application/x-www-form-urlencoded", ""],
      ["DELETE", "/api/session", "application/json", "{}"],
    ] as const) {
      const person = await app.person();
      const answer = await send(method, path, type, body, { ...headers, cookie: person.cookie });
      expect(answer.status).toBe(trusted ? (path === "/salir" ? 302 : 200) : 403);
      const session = await app.call("GET", "/session", undefined, person);
      expect(session.body.user === null).toBe(trusted);
    }
    for (const path of ["/api/session", "/"]) {
      const answer = await fetch(app.url + path, { headers: { cookie: admin.cookie, ...headers } });
      expect(answer.status).toBe(200);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  },
);
