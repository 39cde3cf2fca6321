/** Checks that docs/spec-map.md lists every requirement and operation, and only existing tests. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "#test/operations.ts";

const REQUIREMENT = /\*\*(S\d+\.\d+-\d+)\*\*/g;
/** Matches an id with its operations and tests, without a note. */
const LINE = /^(S\d+\.\d+-\d+) ([^#\n]+)/gm;
const OPERATION = /^(GET|POST|PUT|PATCH|DELETE) \//;
const TEST = /\.(test|spec)\.tsx?$|\/$/;
const NOT_BUILT = "not built";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, "docs", name), "utf8");

const lines = Array.from(read("spec-map.md").matchAll(LINE), ([, id, entries]) => ({
  id: id!,
  entries: entries!.trim().split(", "),
}));
const ids = lines.map(({ id }) => id);
const required = Array.from(read("specification.md").matchAll(REQUIREMENT), ([, id]) => id!);
const existing = operations.map(({ method, path }) => `${method} ${path}`);
const entries = [...new Set(lines.flatMap((line) => line.entries))];
const mapped = entries.filter((entry) => OPERATION.test(entry));
const tests = entries.filter((entry) => !OPERATION.test(entry) && entry !== NOT_BUILT);
const problems: [string[], string][] = [
  [[...required, ...existing].filter((one) => !ids.includes(one) && !mapped.includes(one)), "is left out"],
  [ids.filter((id) => !required.includes(id)), "is unknown to the specification"],
  [ids.filter((id, at) => ids.indexOf(id) < at), "is named twice"],
  [mapped.filter((one) => !existing.includes(one)), "is unknown to the API"],
  [tests.filter((path) => !TEST.test(path) || !existsSync(join(root, path))), "is not a test"],
];
for (const [found, problem] of problems)
  for (const one of found) {
    console.error(`docs/spec-map.md: ${one} ${problem}.`);
    process.exitCode = 1;
  }
