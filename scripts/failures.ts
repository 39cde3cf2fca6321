/** What failed in a run, kept by the reporters of its steps and told once more at its end, where everyone looks first. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** How much of what a test says is told again. */
const MESSAGE_LINES = 4;
/** A broken machine may fail everything. */
const TOLD_FAILURES = 20;

/** Keeps a failed test and the first lines of why, in the file that DIVAN_FAILURES names; without one, nothing. */
export function keepFailure(test: string, message: string): void {
  const file = process.env.DIVAN_FAILURES;
  if (!file) return;
  const lines = stripVTControlCharacters(message).split("\n").filter(Boolean).slice(0, MESSAGE_LINES);
  appendFileSync(file, `${JSON.stringify([test, ...lines.map((line) => `    ${line.slice(0, 300)}`)])}\n`);
}

/** The failures kept in a file, as text. Empty when nothing failed. */
export function keptFailures(file: string): string {
  if (!existsSync(file)) return "";
  const failures = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as string[]).join("\n"));
  const more = failures.length > TOLD_FAILURES ? [`... and ${failures.length - TOLD_FAILURES} more`] : [];
  return ["What failed:", ...failures.slice(0, TOLD_FAILURES), ...more].join("\n");
}
