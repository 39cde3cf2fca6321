import "./quick-passwords.ts";
import { afterEach, expect, vi } from "vitest";

// Whatever is written to console.error unexpectedly is a fault that nobody would see otherwise.
const errors = vi.spyOn(console, "error");
afterEach(() => {
  const calls = errors.mock.calls.map((call) => call.map(String).join(" "));
  errors.mockClear();
  expect(calls, "console.error was called").toEqual([]);
});
