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
])("%s may have %d lines and not one more", (path, most) => {
  expect(sizeProblems(new Map([[path, lines(most)]]), {})).toEqual([]);
  expect(sizeProblems(new Map([[path, lines(most + 1)]]), {})).toEqual([
    `${path} has ${most + 1} lines, more than ${most}.`,
  ]);
});

test("a listed file may be longer, as long as it is", () => {
  const listed = { "server/a/store.ts": "one list" };
  expect(sizeProblems(new Map([["server/a/store.ts", lines(301)]]), listed)).toEqual([]);
  expect(sizeProblems(new Map([["server/a/store.ts", lines(300)]]), listed)[0]).toContain("no exception any more");
  expect(sizeProblems(new Map(), listed)[0]).toContain("is not there");
});

test("long files and complex functions are at most as many exceptions as there may be", () => {
  const files = new Map([
    ["server/a/store.ts", lines(301)],
    ["server/a/rules.ts", ignored],
  ]);
  const listed = { "server/a/store.ts": "one list" };
  expect(sizeProblems(files, listed, 2)).toEqual([]);
  expect(sizeProblems(files, listed, 1)[0]).toContain("more than 1");
});

test("lines of other files are not counted", () => {
  expect(sizeProblems(new Map([["docs/specification.md", lines(5000)]]), {})).toEqual([]);
});
