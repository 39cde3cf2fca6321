/** Texts that the specification quotes, and how to find them on a page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Requirements whose texts only appear in a browser, by the test that expects the texts. */
export const IN_BROWSER: Record<string, string> = {
  "app/memberships/checkout-return.test.ts": "S8.8-6",
  "e2e/contents.spec.ts": "S8.7-4, S8.7-7, S8.7-8",
  "e2e/decisions.spec.ts": "S8.6-5, S8.6-6",
  "e2e/faults.spec.ts": "S8.2-3, S8.3-3, S8.3-6, S8.4-9, S8.7-1",
  "e2e/feed-and-votes.spec.ts": "S8.1-1, S8.4-1",
  "e2e/no-javascript.spec.ts": "S8.5-1, S8.5-2",
  "e2e/paying-mercadopago.spec.ts": "S8.8-9",
  "e2e/test-payments.spec.ts": "S8.8-1, S8.8-4, S8.8-7, S8.8-8, S8.8-10, S8.8-11, S8.8-12",
};

/** Matches text in single quotes. An apostrophe follows a letter, so it does not open a quote. */
const QUOTES = /(?<![\p{L}\d])'([^']+)'(?![\p{L}\d])/gu;

type Quoted = { id: string; text: string };

/** All texts that the specification quotes, with the ids of their requirements. */
export const QUOTED: Quoted[] = readFileSync(join(import.meta.dirname, "..", "docs", "specification.md"), "utf8")
  .split("\n")
  .flatMap((line, at) => {
    const id = /\*\*(S[\d.]+-\d+)\*\*/.exec(line)?.[1];
    return Array.from(line.replace(/`[^`]*`/g, "").matchAll(QUOTES), ([, text]) => {
      if (!id) throw new Error(`Line ${at + 1} of the specification quotes a text but has no id.`);
      return { id, text: text! };
    });
  });

/** Returns the texts of requirements: all texts of "S1.2-3", or some of them of "S1.2-3: one text|another". */
export const quotedBy = (requirements: string): Quoted[] =>
  requirements.split(", ").flatMap((entry) => {
    const [id, texts] = entry.split(": ");
    const found = QUOTED.filter((one) => one.id === id && (!texts || texts.split("|").includes(one.text)));
    if (found.length < (texts?.split("|").length ?? 1)) throw new Error(`The specification does not quote ${entry}.`);
    return found;
  });

export const wordsOf = (html: string) =>
  /<body[\s\S]*<\/body>/
    .exec(html)![0]
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<(\w+)[^>]*class="[^"]*visually-hidden[^"]*"[^>]*>[^<]*<\/\1>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

export function patternOf(text: string, filled: Record<string, string>): RegExp {
  const words = text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name]!);
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${/[\p{L}\d]$/u.test(text) ? "(?![\\p{L}\\d])" : ""}`, "u");
}
