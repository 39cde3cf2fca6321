import { describe, expect, test } from "vitest";
import { checkSpecMap, operations } from "./check-spec-map.ts";

const problemsOf = (...lines: string[]) =>
  checkSpecMap(lines.join("\n"), {
    specification: "- **S1.1-1** Users vote.\n| **S1.1-2** | Search |",
    operations: ["PUT /votes/{id}"],
    exists: (path) => path === "test/votes.test.ts" || path === "server/votes.ts",
  });
const VOTES = "S1.1-1 PUT /votes/{id}, test/votes.test.ts # a note";
const SEARCH = "S1.1-2 not built";

describe("the check of the spec map", () => {
  test("accepts a map of all requirements and operations", () => {
    expect(problemsOf(VOTES, SEARCH)).toEqual([]);
  });

  test.each([
    ["a requirement that the map leaves out", [VOTES], "docs/spec-map.md leaves out S1.1-2."],
    [
      "an operation that the map leaves out",
      ["S1.1-1 test/votes.test.ts", SEARCH],
      "docs/spec-map.md leaves out PUT /votes/{id}.",
    ],
    [
      "an unknown id",
      [VOTES, SEARCH, "S9.9-9 not built"],
      "docs/spec-map.md names S9.9-9, unknown to the specification.",
    ],
    ["an id listed twice", [VOTES, SEARCH, SEARCH], "docs/spec-map.md names S1.1-2 twice."],
    ["an unknown operation", [VOTES, "S1.1-2 GET /votes"], "docs/spec-map.md names GET /votes, unknown to the API."],
    [
      "a missing test",
      [VOTES, "S1.1-2 test/gone.test.ts"],
      "docs/spec-map.md names test/gone.test.ts, which is not a test.",
    ],
    [
      "a file without tests",
      [VOTES, "S1.1-2 server/votes.ts"],
      "docs/spec-map.md names server/votes.ts, which is not a test.",
    ],
  ])("reports %s", (_, lines, problem) => {
    expect(problemsOf(...lines)).toEqual([problem]);
  });

  test("reads the operations of the contract", () => {
    expect(operations()).toContain("PUT /consultations/{id}/vote");
  });
});
