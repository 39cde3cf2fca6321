import { describe, expect, test } from "vitest";
import { checkDecisions } from "./check-decisions.ts";

const record = (number: number, context = "Text.") =>
  `# ${number}. Title\nStatus: accepted (2026-11-21)\n\n## Context\n${context}\n\n## Decision\nText.\n\n## Consequences\nText.\n\n## Alternatives\n- None.\n`;
const GOOD = { "docs/decisions/0001-mail-jobs.md": record(1), "server/a.ts": "// docs/decisions/0001" };
const problemsOf = (files: Record<string, string>) => checkDecisions(new Map(Object.entries({ ...GOOD, ...files })));

describe("the check of decision records", () => {
  test("accepts a record of the required form", () => {
    expect(problemsOf({})).toEqual([]);
  });

  test.each([
    ["a record of 151 words", "docs/decisions/0002-long.md", record(2, "word ".repeat(133)), "has 151 words"],
    ["a record without alternatives", "docs/decisions/0002-short.md", record(2).replace("## Alternatives", ""), "form"],
    ["a heading with another number", "docs/decisions/0002-other.md", record(3), "form"],
    ["a second record of a number", "docs/decisions/0001-again.md", record(1), "number of another record"],
    ["a reference to a missing record", "app/a.css", "/* docs/decisions/0007 */", "refers to decision 0007"],
  ])("reports %s", (_, path, text, problem) => {
    expect(problemsOf({ [path]: text })).toEqual([expect.stringContaining(problem)]);
  });
});
