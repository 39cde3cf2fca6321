import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A text that the specification quotes, with the id of its requirement. */
export type Quoted = { id: string; text: string };

export const nameOf = ({ id, text }: Quoted): string => `${id} '${text}'`;

/** Type of the annotation for a quoted text that a test has shown. `count.ts` counts these annotations. */
export const SEEN = "quoted text";

/** Matches text in single quotes. An apostrophe follows a letter, so it does not open a quote. */
const QUOTES = /(?<![\p{L}\d])'([^']+)'(?![\p{L}\d])/gu;

/** Returns all texts that docs/specification.md quotes, in order, including repetitions. */
export function quotedTexts(
  specification = readFileSync(join(import.meta.dirname, "..", "..", "docs", "specification.md"), "utf8"),
): Quoted[] {
  return specification.split("\n").flatMap((line, at) => {
    const texts = Array.from(line.replace(/`[^`]*`/g, "").matchAll(QUOTES), ([, text]) => text!);
    const id = /\*\*(S[\d.]+-\d+)\*\*/.exec(line)?.[1];
    if (texts.length && !id) throw new Error(`Line ${at + 1} of the specification quotes a text but has no id.`);
    return texts.map((text) => ({ id: id!, text }));
  });
}
