import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import { expectProblem, problemsWith } from "./valid-tree.ts";

describe("clock in rules", () => {
  test.each(["Date.now()", "new Date()", "new Date"])("refuses %s in a rule", (clock) => {
    expectProblem("server/answers/rules.ts", `const now = ${clock};`, "get the time as an argument");
  });

  test("allows a time with an argument in a rule", () => {
    expect(
      problemsWith({ "server/answers/rules.ts": "const later = new Date(0);\nconst text = new DateFormat();" }),
    ).toEqual([]);
  });
});

describe("SQL", () => {
  test.each([
    [`import { sql } from "kysely";`],
    ["const one = sql`select 1`;"],
    ["const one = sql<{ n: number }>`select 1`;"],
    [`db.selectFrom("profiles");`],
    [`db.insertInto("profiles");`],
    [`db.updateTable("profiles");`],
    [`db.deleteFrom("profiles");`],
    [`pool.query("select 1");`],
    ["pool.query(`select 1`);"],
  ])("refuses %s in a command", (source) => {
    expectProblem("server/answers/commands.ts", source, "contains SQL");
  });

  test("refuses SQL in a page or in a file next to the store", () => {
    expectProblem("app/routes/landing.tsx", `pool.query("select 1");`, "contains SQL");
    expectProblem("server/sessions/session.ts", `db.selectFrom("sessions");`, "contains SQL");
  });

  test("allows types of the query builder and SQL in a comment", () => {
    expect(
      problemsWith({
        "server/answers/commands.ts": `import type { Kysely } from "kysely";\n// db.selectFrom("profiles") is in the store`,
      }),
    ).toEqual([]);
  });
});

describe("steps", () => {
  test.each([
    ["export async function remove(id: string, tx?: Tx) {}"],
    ["export const remove = async ({ db }: Context, id: string) => run(db, (tx: Tx) => drop(tx, id));"],
    ["export const remove = (db: Db) => db;"],
  ])("refuses %s, because steps run in their caller's transaction", (source) => {
    expectProblem("server/answers/steps.ts", `/** Removes. */\n${source}`, 'take "tx: Tx"');
  });

  test("allows a step with more parameters on several lines", () => {
    const source =
      "/** Removes. */\nexport async function remove(\n  { boss }: Context,\n  tx: Tx,\n  id: string,\n) {}";
    expect(problemsWith({ "server/answers/steps.ts": source, "server/threads/steps.ts": source })).toEqual([]);
  });
});

describe("product name", () => {
  test.each([
    ["app/routes/landing.tsx", "export default () => <p>Diván es gratis.</p>;"],
    ["app/lib/words.ts", `export const WORDS = "Diván";`],
    ["server/accounts/mails.ts", "export const subject = `Tu cuenta de Diván`;"],
  ])("refuses in %s: %s", (path, source) => {
    expectProblem(path, source, "contains the product's name");
  });

  test("allows the name in its file, in comments or in tests", () => {
    expect(
      problemsWith({
        "shared/product.ts": `export const PRODUCT_NAME = "Diván";`,
        "app/lib/words.ts": "/** What Diván says. */\nexport const WORDS = []; // Diván's",
        "app/lib/words.test.ts": `expect(title).toBe("Diván");`,
      }),
    ).toEqual([]);
  });
});

describe("import cycles", () => {
  test("reports two files that import each other once", () => {
    const problems = problemsWith({
      "shared/countries.ts": `import "./limits.ts";`,
      "shared/limits.ts": `import "./countries.ts";`,
    });
    expect(problems).toEqual([
      "shared/countries.ts is in a cycle of imports: shared/countries.ts -> shared/limits.ts -> shared/countries.ts.",
    ]);
  });

  test("reports a cycle of three files, also when entered from outside", () => {
    const problems = problemsWith({
      "shared/a.ts": `import "./b.ts";`,
      "shared/b.ts": `import "./c.ts";`,
      "shared/c.ts": `export * from "./d.ts";`,
      "shared/d.ts": `import "./b.ts";`,
    });
    expect(problems).toEqual([
      "shared/b.ts is in a cycle of imports: shared/b.ts -> shared/c.ts -> shared/d.ts -> shared/b.ts.",
    ]);
  });

  test("ignores imports of types", () => {
    expect(
      problemsWith({
        "shared/countries.ts": `import "./limits.ts";`,
        "shared/limits.ts": `import type { Country } from "./countries.ts";`,
      }),
    ).toEqual([]);
  });
});

describe("docstrings", () => {
  test.each([
    ["export function answer() {}", "answer"],
    ["export async function answer() {}", "answer"],
    ["export const answer = () => 1;", "answer"],
    ["export const answer = async (text: string) => text;", "answer"],
    ["export const answer: (text: string) => string = (text) => text;", "answer"],
    ["export default function () {}", "default"],
    ["/** Answers. */\n\nexport function answer() {}", "answer"],
    ["/* Answers. */\nexport function answer() {}", "answer"],
    ["// Answers.\nexport function answer() {}", "answer"],
    ["/** Áñéí 🙂. */\nexport function reply() {}\nexport function answer() {}", "answer"],
  ])("requires a docstring in commands and rules for %s (%s)", (source, name) => {
    expectProblem("server/answers/commands.ts", source, `exports ${name} without a docstring`);
    expectProblem("server/answers/rules.ts", source, `exports ${name} without a docstring`);
  });

  test("requires none for other exports, private functions or other files", () => {
    const free =
      "export const LIMIT = 3;\nexport type Answer = { id: string };\nexport const KINDS = new Map([[1, 2]]);\nfunction own() {}";
    expect(
      problemsWith({ "server/answers/rules.ts": free, "server/answers/store.ts": "export const all = () => 1;" }),
    ).toEqual([]);
  });

  test("accepts a docstring on several lines with any characters", () => {
    expect(
      problemsWith({ "server/answers/rules.ts": "/**\n * «Año» 🙂.\n */\nexport const answer = () => 1;" }),
    ).toEqual([]);
  });
});

/** Stems of Spanish words of the interface that a name could contain. */
const SPANISH =
  /consulta(?!tion)|respuesta|comentario|resena|reseña|psicolog|usuario|perfil|correo|clave|\bpagos?\b|plan(es|o)\b|nombre|pais\b|ayuda|matricula|sesion|voto|fecha|estado\b/i;

test("contract and schema contain only English names", () => {
  const paths = Object.values(contract).flatMap((group) =>
    Object.entries(group).map(([name, procedure]) => `${name} ${procedure["~orpc"].route.path}`),
  );
  const schema = readFileSync(join(import.meta.dirname, "..", "migrations", "schema.sql"), "utf8");
  // Quoted text is values: names of countries, texts of tags.
  const names = schema.replaceAll(/'[^']*'/g, "").match(/\b[\p{L}_]+\b/gu)!;
  expect(paths.length).toBeGreaterThan(50);
  expect(names.length).toBeGreaterThan(500);
  expect([...paths, ...new Set(names)].filter((name) => SPANISH.test(name) || /[^\x20-\x7e]/.test(name))).toEqual([]);
});
