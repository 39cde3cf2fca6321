import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FULL_RUN } from "./full-run.ts";
import { sampleOf } from "./hostile-input.ts";
import { operations } from "./operations.ts";
import { pages as allPages } from "./pages.ts";
import { setUpAdmin, setUpTestApp } from "./suite-setup.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const EVIL = "https://evil.example";

/** Senders with the headers of browsers or programs. `trusted` is true if their requests may change something. */
const SENDERS: { from: string; headers: (own: string) => Record<string, string>; trusted: boolean }[] = [
  { from: "our own page", headers: (own) => ({ "sec-fetch-site": "same-origin", origin: own }), trusted: true },
  { from: "our own page in an older browser", headers: (own) => ({ origin: own }), trusted: true },
  { from: "another site", headers: () => ({ "sec-fetch-site": "cross-site", origin: EVIL }), trusted: false },
  {
    from: "another site that claims our origin",
    headers: (own) => ({ "sec-fetch-site": "cross-site", origin: own }),
    trusted: false,
  },
  {
    from: "another host of our domain",
    headers: (own) => ({ "sec-fetch-site": "same-site", origin: own }),
    trusted: false,
  },
  { from: "a typed URL", headers: () => ({ "sec-fetch-site": "none" }), trusted: false },
  { from: "another site in an older browser", headers: () => ({ origin: EVIL }), trusted: false },
  { from: "a page without origin", headers: () => ({ origin: "null" }), trusted: false },
  {
    from: "a page without origin that names another site",
    headers: () => ({ origin: "null", "sec-fetch-site": "cross-site" }),
    trusted: false,
  },
  { from: "a program without any of these headers", headers: () => ({}), trusted: false },
  { from: "a page with our URL as the referrer only", headers: (own) => ({ referer: `${own}/` }), trusted: false },
  { from: "a host whose name begins like ours", headers: (own) => ({ origin: `${own}.evil.example` }), trusted: false },
  { from: "another port of ours", headers: (own) => ({ origin: own.replace(/:\d+$/, ":1") }), trusted: false },
  {
    from: "our host by another scheme",
    headers: (own) => ({ origin: own.replace("http:", "https:") }),
    trusted: false,
  },
  { from: "two origins", headers: (own) => ({ origin: `${own}, ${EVIL}` }), trusted: false },
  {
    from: "another site behind a proxy header",
    headers: (own) => ({ origin: EVIL, "x-forwarded-host": "evil.example", "x-original-origin": own }),
    trusted: false,
  },
];

/** Fills in every parameter of a path. */
const filled = (path: string) => path.replace(/\{[^}]+\}|:\w+\??/g, randomUUID());

const writes = operations
  .filter(({ method }) => method !== "GET")
  .map(({ name, method, path }) => ({ name, method, path: `/api${path}` }));

const pages = allPages.filter(({ file }) =>
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

/** Counts the rows of every table. */
async function amounts() {
  const tables = await app.sql<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' or (schemaname = 'pgboss' and tablename like 'job%')",
  );
  const rows = await app.sql(
    tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`).join(" union all "),
  );
  return rows.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
}

test("includes operations and forms that change something", () => {
  expect(writes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["accounts.signUp", "consultations.create", "admin.approve"]),
  );
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["/auth", "/salir", "/consulta/:id/voto"]));
});

describe.each(FULL_RUN ? SENDERS : SENDERS.filter((_, at) => at % 2 === 0))(
  "a request from $from",
  ({ headers, trusted }) => {
    test(`${trusted ? "is accepted" : "gets 403"} by every operation that changes something`, async () => {
      const before = await amounts();
      for (const { name, method, path } of sampleOf(writes, 2)) {
        // A real sign-out would end the session of the other tests.
        if (trusted && name === "accounts.signOut") continue;
        const answer = await send(method, filled(path), "application/json", "{}", headers(app.url));
        const text = await answer.text();
        if (trusted) expect(text, name).not.toContain("cross_origin_request");
        else {
          expect({ name, status: answer.status, text }).toEqual({
            name,
            status: 403,
            text: '{"code":"cross_origin_request"}',
          });
          expect(answer.headers.getSetCookie()).toEqual([]);
        }
      }
      if (!trusted) expect(await amounts()).toEqual(before);
    });

    test(`${trusted ? "is accepted" : "gets 403"} by every page that has a form`, async () => {
      const before = await amounts();
      for (const { path } of sampleOf(pages, 2)) {
        if (trusted && path === "/salir") continue;
        for (const asked of [filled(path), `${path === "/" ? "/_" : filled(path)}.data`]) {
          const form = "application/x-www-form-urlencoded";
          const answer = await send("POST", asked, form, "vote=up&intent=sign_in", headers(app.url));
          const text = await answer.text();
          if (trusted) {
            expect(text, asked).not.toContain("cross_origin_request");
            // React Router's own check of the origin agrees.
            expect(text, asked).not.toBe("Bad Request");
          } else {
            expect({ asked, status: answer.status }).toEqual({ asked, status: 403 });
            expect(answer.headers.getSetCookie()).toEqual([]);
          }
        }
      }
      if (!trusted) expect(await amounts()).toEqual(before);
    });

    test(`${trusted ? "signs" : "does not sign"} the user out when it sends the form`, async () => {
      const person = await app.person();
      const answer = await fetch(`${app.url}/salir`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: person.cookie, "content-type": "application/x-www-form-urlencoded", ...headers(app.url) },
        body: "",
      });
      expect(answer.status).toBe(trusted ? 302 : 403);
      const { body } = await app.call("GET", "/session", undefined, person);
      expect(body.user === null).toBe(trusted);
    });

    test("reads with status 200, without Access-Control headers for other sites", async () => {
      for (const path of ["/api/session", "/api/community", "/"]) {
        const answer = await fetch(app.url + path, { headers: { cookie: admin.cookie, ...headers(app.url) } });
        expect(answer.status).toBe(200);
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    });
  },
);

describe("a request that changes something", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])(
    "gets 403 or 404 from another site with the method %s on any path",
    async (method) => {
      for (const path of ["/", "/api", "/api/nothing", "/nothing", "/assets/x.js", "/admin", "/API/session"]) {
        const answer = await send(method, path, "application/json", "{}", { origin: EVIL });
        expect([403, 404], `${method} ${path}`).toContain(answer.status);
      }
    },
  );

  test("cannot be sent as a GET with a method override", async () => {
    const before = await amounts();
    const person = await app.person();
    for (const path of ["/salir", "/api/session?_method=DELETE", "/tema?theme=dark", "/salir?_method=POST"]) {
      const answer = await fetch(app.url + path, {
        redirect: "manual",
        headers: { cookie: person.cookie, "x-http-method-override": "DELETE", "x-method-override": "DELETE" },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await app.call("GET", "/session", undefined, person)).body.user.id).toBe(person.id);
    expect((await amounts()).find(({ name }) => name === "public.audit_log")).toEqual(
      before.find(({ name }) => name === "public.audit_log"),
    );
  });

  test("gets an error without Access-Control headers for a preflight of another site", async () => {
    for (const path of ["/api/session", "/api/consultations", "/auth"]) {
      const answer = await fetch(app.url + path, {
        method: "OPTIONS",
        headers: { origin: EVIL, "access-control-request-method": "POST", "access-control-request-headers": "x" },
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });
});
