import { afterEach, expect, vi } from "vitest";
import { FULL_RUN } from "./full-run.ts";
import { hashPasswordsAsInProduction } from "./quick-passwords.ts";

// Test files that share a process find it as if it were new.
hashPasswordsAsInProduction(false);

// Pages are rendered as in production. `react-warnings.ts` turns React's development warnings on.
process.env.NODE_ENV = FULL_RUN ? "test" : "production";

// An unexpected console.error is a fault that would go unnoticed.
const errors = vi.spyOn(console, "error");
afterEach(() => {
  const calls = errors.mock.calls.map((call) => call.map(String).join(" "));
  errors.mockClear();
  expect(calls, "console.error was called").toEqual([]);
});
