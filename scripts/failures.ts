/** The failures of a run, stored by the reporters of its steps and printed again at its end. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** How many lines of an error are printed again. */
const MESSAGE_LINES = 4;
/** At most so many failures are printed. */
const MAX_FAILURES = 20;

/** Appends a failed test and the first lines of its error to the file in DIVAN_FAILURES, if set. */
export function keepFailure(test: string, message: string): void {
  const file = process.env.DIVAN_FAILURES;
  if (!file) return;
  const lines = stripVTControlCharacters(message).split("\n").filter(Boolean).slice(0, MESSAGE_LINES);
  appendFileSync(file, `${JSON.stringify([test, ...lines.map((line) => `    ${line.slice(0, 300)}`)])}\n`);
}

/** The stored failures, as text. Empty when nothing failed. */
export function keptFailures(file: string): string {
  if (!existsSync(file)) return "";
  const failures = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as string[]).join("\n"));
  const more = failures.length > MAX_FAILURES ? [`... and ${failures.length - MAX_FAILURES} more`] : [];
  return ["What failed:", ...failures.slice(0, MAX_FAILURES), ...more].join("\n");
}
