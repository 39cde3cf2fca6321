/** Checks the length and form of decision records, and that references name an existing record. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Longest record, in words including headings. */
const MAX_WORDS = 150;
const PATH = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;
const FORM =
  /^# (\d+)\. .+\nStatus: [\s\S]+## Context\n[\s\S]+## Decision\n[\s\S]+## Consequences\n[\s\S]+## Alternatives\n/;
const REFERENCE = /decisions\/(\d{4})/g;

/** Returns the problems of a set of files (path -> text), one sentence each. */
export function checkDecisions(files: Map<string, string>): string[] {
  const problems: string[] = [];
  const numbers = new Set<string>();
  for (const [path, text] of files) {
    if (!path.startsWith("docs/decisions/")) continue;
    const number = PATH.exec(path)?.[1] ?? "";
    if (numbers.has(number)) problems.push(`${path} has the number of another record.`);
    numbers.add(number);
    const words = text.split(/\s+/).filter(Boolean).length;
    if (words > MAX_WORDS) problems.push(`${path} has ${words} words, more than ${MAX_WORDS}.`);
    if (Number(FORM.exec(text)?.[1]) !== Number(number || Number.NaN))
      problems.push(`${path} does not have the form of a decision record.`);
  }
  for (const [path, text] of files)
    for (const [, number] of text.matchAll(REFERENCE))
      if (!numbers.has(number!)) problems.push(`${path} refers to decision ${number}, which does not exist.`);
  return problems;
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..");
  // The tests of this check refer to records that do not exist.
  const exclude = ["scripts/check-decisions.test.ts"];
  const paths = globSync(
    ["{app,docs,e2e,migrations,scripts,server,shared,test}/**/*.{ts,tsx,mjs,css,sql,md}", "*.md"],
    {
      cwd: root,
      exclude,
    },
  );
  const problems = checkDecisions(new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")])));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}
