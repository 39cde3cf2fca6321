import "./quick-passwords.ts";
import { afterEach, expect, vi } from "vitest";
import { FULL_RUN } from "./full-run.ts";

// Pages are rendered as they are served. What React warns of while developing is asked for by `react-warnings.ts`.
process.env.NODE_ENV = FULL_RUN ? "test" : "production";

// Whatever is written to console.error unexpectedly is a fault that nobody would see otherwise.
const errors = vi.spyOn(console, "error");
afterEach(() => {
  const calls = errors.mock.calls.map((call) => call.map(String).join(" "));
  errors.mockClear();
  expect(calls, "console.error was called").toEqual([]);
});
