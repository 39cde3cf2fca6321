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

type Project = { specification: string; operations: string[]; exists: (path: string) => boolean };

/** Returns the problems of the map, one sentence each. */
export function checkSpecMap(map: string, { specification, operations, exists }: Project): string[] {
  const lines = Array.from(map.matchAll(LINE), ([, id, entries]) => ({
    id: id!,
    entries: entries!.trim().split(", "),
  }));
  const ids = lines.map(({ id }) => id);
  const required = Array.from(specification.matchAll(REQUIREMENT), ([, id]) => id!);
  const entries = [...new Set(lines.flatMap((line) => line.entries))];
  const mapped = entries.filter((entry) => OPERATION.test(entry));
  const tests = entries.filter((entry) => !OPERATION.test(entry) && entry !== NOT_BUILT);
  const problems: [string[], string][] = [
    [[...required, ...operations].filter((one) => !ids.includes(one) && !mapped.includes(one)), "is left out"],
    [ids.filter((id) => !required.includes(id)), "is unknown to the specification"],
    [ids.filter((id, at) => ids.indexOf(id) < at), "is named twice"],
    [mapped.filter((one) => !operations.includes(one)), "is unknown to the API"],
    [tests.filter((path) => !TEST.test(path) || !exists(path)), "is not a test"],
  ];
  return problems.flatMap(([found, problem]) => found.map((one) => `docs/spec-map.md: ${one} ${problem}.`));
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..");
  const read = (name: string) => readFileSync(join(root, "docs", name), "utf8");
  const problems = checkSpecMap(read("spec-map.md"), {
    specification: read("specification.md"),
    operations: operations.map(({ method, path }) => `${method} ${path}`),
    exists: (path) => existsSync(join(root, path)),
  });
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}
