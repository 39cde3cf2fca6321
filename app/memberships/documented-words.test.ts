import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

// docs/payments.md lists all texts about an unfinished payment, each with the browser test of its state.

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8").replace(/\s+/g, " ");

const SOURCES = [
  ...[
    "words.ts",
    "end-words.ts",
    "standing-words.ts",
    "pending-payment.tsx",
    "payment-card.tsx",
    "membership-card.tsx",
    "granted.tsx",
  ].map((name) => `app/memberships/${name}`),
  "app/routes/memberships/checkout.tsx",
  "app/lib/error-words.ts",
  "app/lib/notices.ts",
  "server/memberships/mails.ts",
  "server/memberships/grants/mails.ts",
];

const rows = readFileSync(join(root, "docs/payments.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("«"))
  .map((line) => line.split("|").map((cell) => cell.trim()) as [string, string, string, string, string, string]);

test("finds more than 30 rows in the table", () => {
  expect(rows.length).toBeGreaterThan(30);
});

describe.each(rows)("%s%s, %s", (_, _state, _where, sentence, named) => {
  test("uses the sentence of the table in the code", () => {
    const texts = SOURCES.map(read);
    const parts = sentence.slice(1, -1).split(/\{\w+\}/);
    for (const part of parts)
      expect(
        texts.some((text) => text.includes(part.trim())),
        part,
      ).toBe(true);
  });

  test("finds the browser test of this state", () => {
    const [file, title] = named.split(/: (.*)/) as [string, string];
    expect(read(`e2e/${file}.spec.ts`)).toContain(`"${title}`);
  });
});
