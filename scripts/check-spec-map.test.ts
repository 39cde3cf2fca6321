import { describe, expect, test } from "vitest";
import { checkSpecMap } from "./check-spec-map.ts";

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
    ["a requirement that the map leaves out", [VOTES], "S1.1-2 is left out"],
    ["an operation that the map leaves out", ["S1.1-1 test/votes.test.ts", SEARCH], "PUT /votes/{id} is left out"],
    ["an unknown id", [VOTES, SEARCH, "S9.9-9 not built"], "S9.9-9 is unknown to the specification"],
    ["an id listed twice", [VOTES, SEARCH, SEARCH], "S1.1-2 is named twice"],
    ["an unknown operation", [VOTES, "S1.1-2 GET /votes"], "GET /votes is unknown to the API"],
    ["a missing test", [VOTES, "S1.1-2 test/gone.test.ts"], "test/gone.test.ts is not a test"],
    ["a file without tests", [VOTES, "S1.1-2 server/votes.ts"], "server/votes.ts is not a test"],
  ])("reports %s", (_, lines, problem) => {
    expect(problemsOf(...lines)).toEqual([`docs/spec-map.md: ${problem}.`]);
  });
});
