import { expect, test } from "vitest";
import { checkSpecMap, operations } from "./check-spec-map.ts";

const map = (builtIn: string) =>
  `| id | what | built in | tested in |\n|---|---|---|---|\n| S1.1-1 | votes | ${builtIn} | — |`;
const there = (path: string) => path === "server/votes.ts";

test("a map that names what is there, and every operation, has no problems", () => {
  expect(checkSpecMap(map("`PUT /votes/{id}`, `server/votes.ts`"), there, ["PUT /votes/{id}"])).toEqual([]);
});

test("a path that is not there is named once", () => {
  expect(checkSpecMap(map("`server/votes.ts`, `server/gone.ts`, `server/gone.ts`"), there, [])).toEqual([
    "docs/spec-map.md names server/gone.ts, which is not there.",
  ]);
});

test("an operation that the API has not, and one that the map leaves out", () => {
  expect(checkSpecMap(map("`PUT /votes/{id}`"), there, ["DELETE /votes/{id}"])).toEqual([
    "docs/spec-map.md names PUT /votes/{id}, which the API has not.",
    "docs/spec-map.md leaves out DELETE /votes/{id}.",
  ]);
});

test("the operations are those of the contract", () => {
  expect(operations()).toContain("PUT /consultations/{id}/vote");
});
