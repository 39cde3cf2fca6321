import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { returnPath } from "#shared/return-path.ts";
import { isAdmin, LIFETIMES, sessionEnd } from "../sessions/rules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWN = "https://divan.example";

describe("where to go after signing in", () => {
  test.each([
    ["/", "/"],
    ["/consulta/7?orden=votos#respuestas", "/consulta/7?orden=votos#respuestas"],
    ["/nueva-consulta", "/nueva-consulta"],
    ["/buscar?q=ansiedad y sueño", "/buscar?q=ansiedad%20y%20sue%C3%B1o"],
    ["/a/../b", "/b"],
    ["/authors", "/authors"],
    ["/temas/7", "/temas/7"],
  ])("%j leads to our own page %j", (path, expected) => {
    expect(returnPath(path)).toBe(expected);
  });

  test.each([
    [undefined],
    [null],
    [""],
    ["consulta"],
    ["//evil.example"],
    ["///evil.example"],
    ["/\\evil.example"],
    ["\\\\evil.example"],
    ["\\/evil.example"],
    ["/\t/evil.example"],
    ["/\n/evil.example"],
    ["/\r\n/evil.example"],
    ["/\u0000/evil.example"],
    [" //evil.example"],
    ["\t//evil.example"],
    ["/.//evil.example"],
    ["/..//evil.example"],
    ["/a/..//evil.example"],
    ["/%2e//evil.example"],
    ["/%2e%2e//evil.example"],
    ["/.\\/evil.example"],
    ["https:evil.example"],
    ["https:/evil.example"],
    ["https://evil.example"],
    ["HTTPS://evil.example/"],
    ["http:evil"],
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["@evil.example"],
    [".evil.example"],
    [":80"],
    ["/auth"],
    ["/auth?volver=/"],
    ["/auth/confirmar?token=x"],
    ["/auth/../auth/recuperar"],
    ["/x/../auth"],
    ["/auth#x"],
    ["/salir"],
    ["/tema?theme=dark"],
    [`/${"a".repeat(500)}`],
  ])("%j leads to the start", (path) => {
    expect(returnPath(path)).toBe("/");
  });

  test("an encoded tab is only a strange path of our own", () => {
    expect(new URL(returnPath("/%09/evil.example"), OWN).origin).toBe(OWN);
  });

  test("whatever is given, a browser stays on our origin and does not return to the sign-in page", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          "/",
          "\\",
          "//",
          ".",
          "..",
          "%2f",
          "%5c",
          "%09",
          "\t",
          "\n",
          "@",
          ":",
          "#",
          "?",
          "auth",
          "salir",
        ),
        fc.constantFrom("https:", "javascript:", "evil.example", "%2e", " ", "\u3002", "／", "\u0000", "\ud800"),
        fc.string({ maxLength: 4, unit: "binary" }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, slash) => {
        const path = returnPath((slash ? "/" : "") + parts.join(""));
        expect(path).toMatch(/^\/(?![/\\])/);
        const target = new URL(path, OWN);
        expect(target.origin).toBe(OWN);
        expect(target.pathname).not.toMatch(/^\/(auth|salir|tema)(?![\w-])/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the end of a session", () => {
  const began = new Date("2026-03-01T10:00:00Z");
  const later = (ms: number) => new Date(began.getTime() + ms);
  const expires_at = later(LIFETIMES.session);

  test("is a week after the last visit", () => {
    expect(sessionEnd({ created_at: began, seen_at: began, expires_at })).toEqual(later(7 * DAY));
    expect(sessionEnd({ created_at: began, seen_at: later(3 * DAY), expires_at })).toEqual(later(10 * DAY));
  });

  test("is 30 days after it began, however often it is used", () => {
    const end = (seen: number) => sessionEnd({ created_at: began, seen_at: later(seen), expires_at });
    expect(end(29 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY - 1)).toEqual(later(30 * DAY - 1));
  });

  test("is 8 hours after it began for the administrator, however often it is used", () => {
    for (const seen of [0, 3 * HOUR, 8 * HOUR])
      expect(sessionEnd({ created_at: began, seen_at: later(seen), expires_at }, true)).toEqual(later(8 * HOUR));
    const short = { created_at: began, seen_at: began, expires_at: later(HOUR) };
    expect(sessionEnd(short, true)).toEqual(later(HOUR));
  });
});

test("links and sessions last as long as the mails and pages say", () => {
  expect(LIFETIMES).toMatchObject({
    registration: DAY,
    recovery: HOUR,
    session: 30 * DAY,
    sessionIdle: 7 * DAY,
    adminSession: 8 * HOUR,
    freshPassword: 10 * MINUTE,
    emailChange: DAY,
    emailUndo: 7 * DAY,
  });
});

describe("the administrator", () => {
  test("is the account with the configured address, however it is written", () => {
    expect(isAdmin("Admin@Divan.example", "admin@divan.example")).toBe(true);
    expect(isAdmin("admin@divan.example", "ADMIN@divan.example")).toBe(true);
  });

  test.each([
    "admin@divan.example.evil.example",
    "xadmin@divan.example",
    "admin@divan.example ",
    "admin",
    "",
    "admin+1@divan.example",
  ])("is not %j", (address) => {
    expect(isAdmin(address, "admin@divan.example")).toBe(false);
  });
});
