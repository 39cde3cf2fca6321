import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordedFailures, recordFailure } from "./failures.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "divan-failures-"));
  file = join(folder, "failures");
  vi.stubEnv("DIVAN_FAILURES", file);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("recordedFailures returns an empty text for a run without failures", () => {
  expect(recordedFailures(file)).toBe("");
});

test("recordedFailures returns each failure with the first lines of its error, without colours", () => {
  recordFailure("a.test.ts > counts", "\u001b[31mexpected 1\u001b[39m\n\nto be 2\n3\n4\n5");
  recordFailure("b.spec.ts:3 [phone] opens", "");
  expect(recordedFailures(file)).toBe(
    "Failures:\na.test.ts > counts\n    expected 1\n    to be 2\n    3\n    4\nb.spec.ts:3 [phone] opens",
  );
});

test("recordedFailures returns the first 20 failures with the number of the others", () => {
  for (let at = 0; at < 25; at++) recordFailure(`test ${at}`, "");
  const text = recordedFailures(file);
  expect(text).toContain("test 19");
  expect(text).not.toContain("test 20");
  expect(text).toMatch(/and 5 more$/);
});

test("recordFailure stores no failure outside of a whole run", () => {
  vi.stubEnv("DIVAN_FAILURES", "");
  recordFailure("a", "b");
  expect(recordedFailures(file)).toBe("");
});
