import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A text that the specification quotes, under the id of the requirement that does. */
export type Quoted = { id: string; text: string };

export const nameOf = ({ id, text }: Quoted): string => `${id} '${text}'`;

/** Annotation with which a test says that a quoted text was on screen; `count.ts` adds them up. */
export const SEEN = "quoted text";

/** Between single quotes. An apostrophe stands after a letter, so it opens nothing. */
const QUOTES = /(?<![\p{L}\d])'([^']+)'(?![\p{L}\d])/gu;

/** Every text that docs/specification.md quotes, in its order; one that is quoted twice counts twice. */
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
