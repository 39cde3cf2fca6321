import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepFailure, keptFailures } from "./failures.ts";

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

test("keptFailures returns an empty text for a run without failures", () => {
  expect(keptFailures(file)).toBe("");
});

test("keptFailures returns each failure with the first lines of its error, without colours", () => {
  keepFailure("a.test.ts > counts", "\u001b[31mexpected 1\u001b[39m\n\nto be 2\n3\n4\n5");
  keepFailure("b.spec.ts:3 [phone] opens", "");
  expect(keptFailures(file)).toBe(
    "Failures:\na.test.ts > counts\n    expected 1\n    to be 2\n    3\n    4\nb.spec.ts:3 [phone] opens",
  );
});

test("keptFailures returns the first 20 failures with the number of the others", () => {
  for (let at = 0; at < 25; at++) keepFailure(`test ${at}`, "");
  const text = keptFailures(file);
  expect(text).toContain("test 19");
  expect(text).not.toContain("test 20");
  expect(text).toMatch(/and 5 more$/);
});

test("keepFailure stores no failure outside of a whole run", () => {
  vi.stubEnv("DIVAN_FAILURES", "");
  keepFailure("a", "b");
  expect(keptFailures(file)).toBe("");
});
