import pg from "pg";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpTestApp } from "#test/suite-setup.ts";
import { asAppError } from "./errors.ts";

const app = setUpTestApp();
const log: string[] = [];
const codeOf = (error: Error) =>
  asAppError(error, pino({ base: null }, { write: (line: string) => void log.push(line) }), "a test").code;
beforeEach(() => {
  log.length = 0;
});

describe("asAppError", () => {
  test("returns sign_in_required if the account or the session of a request is deleted before its last statement", async () => {
    const keys = await app.sql<{ constraint: string; of_viewer: boolean }>(
      `select conname as constraint, attname <> 'id' and confrelid in ('profiles'::regclass, 'accounts'::regclass,
         'sessions'::regclass, 'second_factors'::regclass, 'psychologist_profiles'::regclass) as of_viewer
       from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
    expect(keys.length).toBeGreaterThan(30);
    for (const { constraint, of_viewer } of keys) {
      const error = Object.assign(new pg.DatabaseError("", 0, "error"), { code: "23503", constraint });
      expect([constraint, codeOf(error)]).toEqual([constraint, of_viewer ? "sign_in_required" : "internal_error"]);
    }
  });

  test("logs only the stack of an unforeseen error, without its message", () => {
    const error = new TypeError("un secreto\n    at un secreto");
    expect(codeOf(error)).toBe("internal_error");
    const [line] = log.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ level: 50, event: "unexpected", where: "a test", name: "TypeError" });
    expect(line.stack[0]).toMatch(/^\s+at .*errors\.test\.ts/);
    expect(log.join()).not.toContain("secreto");
  });
});
