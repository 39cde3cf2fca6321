import { expect, test } from "vitest";
import { sizeProblems } from "./sizes.ts";

const lines = (count: number) => "x\n".repeat(count);
const ignored = "// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table in code\n";

test.each([
  ["server/a/store.ts", 300],
  ["app/a/list.css", 300],
  ["server/a/store.test.ts", 400],
  ["e2e/a.spec.ts", 400],
  ["e2e/fixtures.ts", 400],
])("sizeProblems allows for %s %d lines but not one more", (path, most) => {
  expect(sizeProblems(new Map([[path, lines(most)]]), {})).toEqual([]);
  expect(sizeProblems(new Map([[path, lines(most + 1)]]), {})).toEqual([
    `${path} has ${most + 1} lines, more than ${most}.`,
  ]);
});

test("sizeProblems allows a longer file while it is listed", () => {
  const listed = { "server/a/store.ts": "one list" };
  expect(sizeProblems(new Map([["server/a/store.ts", lines(301)]]), listed)).toEqual([]);
  expect(sizeProblems(new Map([["server/a/store.ts", lines(300)]]), listed)[0]).toContain(
    "needs no exception any more",
  );
  expect(sizeProblems(new Map(), listed)[0]).toContain("does not exist");
});

test("sizeProblems limits the number of long files together with complex functions", () => {
  const files = new Map([
    ["server/a/store.ts", lines(301)],
    ["server/a/rules.ts", ignored],
  ]);
  const listed = { "server/a/store.ts": "one list" };
  expect(sizeProblems(files, listed, 2)).toEqual([]);
  expect(sizeProblems(files, listed, 1)[0]).toContain("more than 1");
});

test("sizeProblems ignores other files", () => {
  expect(sizeProblems(new Map([["docs/specification.md", lines(5000)]]), {})).toEqual([]);
});
