/** Failures of a run, which the reporters of its steps store and the end of the run prints again. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Number of printed lines of an error. */
const MESSAGE_LINES = 4;
/** Largest number of printed failures. */
const MAX_FAILURES = 20;

/** Appends a failed test and the first lines of its error to the file in DIVAN_FAILURES, if set. */
export function recordFailure(test: string, message: string): void {
  const file = process.env.DIVAN_FAILURES;
  if (!file) return;
  const lines = stripVTControlCharacters(message).split("\n").filter(Boolean).slice(0, MESSAGE_LINES);
  appendFileSync(file, `${JSON.stringify([test, ...lines.map((line) => `    ${line.slice(0, 300)}`)])}\n`);
}

/**
 * Formats the stored failures.
 * @returns "" if no test failed
 */
export function recordedFailures(file: string): string {
  if (!existsSync(file)) return "";
  const failures = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as string[]).join("\n"));
  const more = failures.length > MAX_FAILURES ? [`... and ${failures.length - MAX_FAILURES} more`] : [];
  return ["Failures:", ...failures.slice(0, MAX_FAILURES), ...more].join("\n");
}
