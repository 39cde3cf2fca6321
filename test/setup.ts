import { afterEach, expect, vi } from "vitest";
import { hashPasswordsAsInProduction } from "./fast-password-hashing.ts";
import { FULL_RUN } from "./full-run.ts";

// Test files that share a process expect the default.
hashPasswordsAsInProduction(false);

// Tests render pages as in production. `headers.test.ts` turns on React's development warnings.
process.env.NODE_ENV = FULL_RUN ? "test" : "production";

// Fail the test, because an unexpected console.error would go unnoticed.
const errors = vi.spyOn(console, "error");
afterEach(() => {
  const calls = errors.mock.calls.map((call) => call.map(String).join(" "));
  errors.mockClear();
  expect(calls, "console.error was called").toEqual([]);
});
