/** Finds words that the glossary forbids in names and comments. */
import { parseSync } from "vite";
import { words } from "./file-layout.ts";

/** Names from other services, from the specification and from our own API. */
const GIVEN = new Set(words("view_premium_plans billing_agreement_id notification_url notificationUrl"));

/**
 * Returns the words in the last column of each table of the glossary. Skips words in italics, because they are also
 * ordinary words or right in another sense.
 */
export function forbiddenWords(glossary: string): { word: string; instead: string }[] {
  return glossary.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const [instead, not] = [cells[1], cells.at(-2)];
    if (cells.length < 5 || !instead || !not || not === "Not" || /^-+$/.test(not)) return [];
    const name = instead.replace(/\s*\(.*$/, "");
    return not
      .split(/,\s*/)
      .filter((word) => !word.startsWith("*"))
      .map((word) => ({ word, instead: name }));
  });
}

/** "priceList" and "price-list" -> "price list" */
const asWords = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase();

function addNames(node: unknown, names: Set<string>): void {
  if (!node || typeof node !== "object") return;
  const { type, name } = node as { type?: string; name?: unknown };
  if (/^(JSX)?Identifier$/.test(type ?? "") && typeof name === "string") names.add(name);
  for (const one of Object.values(node)) addNames(one, names);
}

/** Returns the names that a file declares or uses, and its comments. */
function namesAndComments(path: string, source: string): { names: Set<string>; comments: string[] } {
  if (path.endsWith(".css"))
    return {
      names: new Set(Array.from(source.matchAll(/[.#]([A-Za-z][\w-]*)/g), ([, name]) => name!)),
      comments: Array.from(source.matchAll(/\/\*[\s\S]*?\*\//g), ([comment]) => comment),
    };
  const { program, comments } = parseSync(path, source);
  const names = new Set<string>();
  addNames(program.body, names);
  return { names, comments: comments.map(({ value }) => value) };
}

/** Returns the forbidden words in a set of files (path -> source), one sentence each. */
export function wordProblems(files: Map<string, string>, glossary: string): string[] {
  const forbidden = forbiddenWords(glossary);
  if (!forbidden.length) return ["The glossary has no column of forbidden words."];
  const any = new RegExp(`\\b(${forbidden.map(({ word }) => word.toLowerCase()).join("|")})s?\\b`, "i");
  const insteadOf = (found: string) =>
    forbidden.find(({ word }) => found.toLowerCase().replace(/s$/, "") === word.toLowerCase().replace(/s$/, ""))!
      .instead;
  const problems: string[] = [];
  for (const [path, source] of files) {
    if (!/^(app|server|shared|scripts|test|e2e)\/.*\.(tsx?|css)$/.test(path)) continue;
    const { names, comments } = namesAndComments(path, source);
    const file = path.split("/").at(-1)!.split(".")[0]!;
    for (const name of new Set([file, ...names])) {
      const found = GIVEN.has(name) ? null : any.exec(asWords(name));
      if (found) problems.push(`${path} has the name ${name}, but the glossary says "${insteadOf(found[1]!)}".`);
    }
    for (const comment of comments) {
      const found = any.exec(comment.replace(/\s*\n\s*\*?\s*/g, " "));
      if (found)
        problems.push(`${path} says "${found[0]}" in a comment, but the glossary says "${insteadOf(found[1]!)}".`);
    }
  }
  return problems;
}
