import { describe, expect, test } from "vitest";
import { CONSULTATION_SORTS } from "#shared/sorts.ts";
import type { TestUser } from "./app.ts";
import {
  expectRefusal,
  fieldsOf,
  named,
  reads,
  sampleOf,
  setUpHostileInputApp,
  VALID_VALUES,
} from "./hostile-input.ts";

const { app, user, psychologist, admin, askers, thread, send } = setUpHostileInputApp();

describe("query parameters", () => {
  test.each(named(sampleOf(reads, 2)))("%s refuses a query parameter that occurs twice", async (_name, operation) => {
    for (const field of fieldsOf(operation)) {
      const value = encodeURIComponent(String(VALID_VALUES[field] ?? "a"));
      const body = expectRefusal(
        await send(operation, `${field}=${value}&${field}=${value}`, askers(operation)[0]!),
        field,
      );
      expect(Object.keys(body.fields ?? {})).toEqual([field]);
    }
  });

  test.each(named(sampleOf(reads, 2)))("%s responds below 500 to a malformed query", async (_name, operation) => {
    for (const query of [
      "%",
      "%zz",
      "&&&",
      "=",
      "=1",
      "?",
      "a=%E0%A4%A",
      "[]=1",
      "[a]=1",
      "a]=1",
      "%00=1",
      "a=1#b",
      `${"a=1&".repeat(1000)}`,
      `a${"[b]".repeat(500)}=1`,
    ]) {
      const got = await send(operation, query, user);
      expect(got.status, query.slice(0, 40)).toBeLessThan(500);
      if (got.status >= 400) expectRefusal(got, query.slice(0, 40));
    }
  });

  test.each(CONSULTATION_SORTS)("refuses a hostile cursor sorted by %s with 422, naming the field", async (sort) => {
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    const key = sort === "votes" || sort === "responses" ? 1 : null;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const cursor of [
      "abc",
      "null",
      "%00",
      "=",
      "a".repeat(301),
      encode(null),
      encode([key, "2026-01-01T00:00:00.000Z", id]),
    ]) {
      const body = expectRefusal(await app.call("GET", `/consultations?sort=${sort}&cursor=${cursor}`), cursor);
      expect(body.code).toBe("invalid_input");
      expect(Object.keys(body.fields ?? {})).toEqual(["cursor"]);
      const list = `/?orden=${{ recent: "recientes", oldest: "antiguas", votes: "votadas", responses: "respondidas", unanswered: "pendientes" }[sort]}`;
      const page = await app.page(`${list}&cursor=${cursor}`);
      expect([page.status, page.headers.get("location")], cursor).toEqual([302, list]);
    }
  });
});

describe("an unknown value in the URL of a list", () => {
  const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  test.each([
    ["/?pais=XX", "/", null],
    ["/?pais=XX&categoria=Duelo&orden=zzz&de=boletin", "/?categoria=Duelo", null],
    ["/?categoria=Nada", "/", null],
    ["/?vista=otra&pais=Chile", "/?pais=Chile", null],
    ["/?vista=ranking&pais=XX", "/?vista=ranking", null],
    ["/?pais=Chile&cursor=abc", "/?pais=Chile", null],
    [`/consulta/:consultation?orden=zzz&desde=abc`, `/consulta/:consultation?desde=abc`, null],
    [`/consulta/:consultation?orden=antiguas&desde=abc`, `/consulta/:consultation?orden=antiguas`, null],
    [`/consulta/:consultation?respuesta=${ID}&comentarios=abc`, `/consulta/:consultation?respuesta=${ID}`, null],
    ["/perfil?cursor=abc", "/perfil", "user"],
    ["/admin?cursor=abc", "/admin", "admin"],
    ["/admin/consultas?q=sala&cursor=abc", "/admin/consultas?q=sala", "admin"],
    ["/admin/psicologos?estado=x&gold=y&pais=z", "/admin/psicologos", "admin"],
    ["/admin/psicologos?gold=si&cursor=abc", "/admin/psicologos?gold=si", "admin"],
  ] as const)("redirects %s to %s with 302", async (path, to, as) => {
    const at = (address: string) => address.replace(":consultation", thread.consultation);
    const who = as === "admin" ? admin : as === "user" ? user : null;
    const page = await app.page(at(path), who);
    expect([page.status, page.headers.get("location")]).toEqual([302, at(to)]);
    const [pathname, query] = at(path).split("?") as [string, string];
    const data = await app.page(`${pathname === "/" ? "/_" : pathname}.data?${query}`, who);
    expect([data.status, data.text.includes(at(to)), data.text.includes("_routes")]).toEqual([202, true, false]);
  });

  test("shows an error at the search field for an invalid search text", async () => {
    for (const q of ["%00", "%ff", "a".repeat(500)]) {
      const page = await app.page(`/admin/consultas?q=${q}`, admin);
      expect(page.status).toBe(200);
      const field = /<main.*?(<input[^>]*name="q"[^>]*>)/s.exec(page.text)![1]!;
      const failed = page.text.includes("No se pudieron cargar las consultas");
      expect([field.includes('aria-invalid="true"'), failed], q.slice(0, 9)).toEqual([true, false]);
    }
  });
});

describe("an unknown path below /api", () => {
  test.each([
    "",
    "/",
    "/nope",
    "//consultations",
    "/consultations/",
    "/Consultations",
    "/admin",
    "/..%2fsession",
    "/%",
    "/%00",
    "/consultations.json",
    "/.env",
    "/metrics",
  ])('responds 404 not_found to "%s"', async (path) => {
    for (const as of [null, admin])
      expect(expectRefusal(await app.call("GET", path, undefined, as), path).code).toBe("not_found");
  });
});

describe("a malformed cookie", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  test.each([
    [""],
    [";"],
    [";;;=;;"],
    ["="],
    ["=value"],
    ["sid"],
    ["sid="],
    ["sid=x"],
    [`sid=${id}`],
    [`sid=${id}.`],
    [`sid=${id}.${"a".repeat(43)}`],
    [`sid=${id}.${"a".repeat(42)}é`],
    [`sid=${id}.${"a".repeat(5000)}`],
    [`sid="${id}.${"a".repeat(43)}"`],
    [`SID=${id}.${"a".repeat(43)}`],
    [`__Host-sid=${id}.${"a".repeat(43)}`],
    ["sid=%00%ff%zz"],
    ["sid=null; sid=undefined"],
    ["__proto__=1; constructor=2; toString=3"],
    ["notice=__proto__"],
    ["notice=constructor"],
    ["notice=%7B%7D"],
    ["theme=<script>alert(1)</script>"],
    ["theme=__proto__"],
    ["check_mail=%"],
    ["check_mail=%5B%5D"],
    ["check_mail=null"],
    ["check_mail=%7B%22a%22%3A1%7D"],
    [`check_mail=${encodeURIComponent('[1,{"a":2}]')}`],
    [`a=${"x".repeat(7000)}`],
    [Array.from({ length: 500 }, (_, i) => `c${i}=1`).join(";")],
    ["\u00ff\u00fe=\u0080"],
    ["a=b, c=d"],
  ])('does not sign in with the cookie "%s"', async (cookie) => {
    const as = { cookie } as TestUser;
    expect((await app.call("GET", "/session", undefined, as)).body.user).toBeNull();
    expect((await app.call("GET", "/weekly-limit", undefined, as)).status).toBe(401);
    expect((await app.call("GET", "/consultations", undefined, as)).status).toBe(200);
    for (const path of ["/", "/auth", "/auth/revisa-tu-correo"]) {
      const page = await app.page(path, as);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text).not.toContain("alert(1)");
    }
  });

  test("uses the first of two session cookies in one header", async () => {
    const both = { cookie: `${user.cookie}; ${psychologist.cookie}` } as TestUser;
    expect((await app.call("GET", "/session", undefined, both)).body.user.id).toBe(user.id);
  });
});
