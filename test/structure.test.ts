import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import { checkStructure, repositoryFiles } from "../scripts/check-structure.ts";

/** A small tree in which everything is in its place; each test breaks one thing. */
const GOOD = {
  "package.json": "",
  "docs/glossary.md": "",
  "migrations/0001_accounts.sql": "",
  "app/app.css": "",
  "app/root.tsx": `import { Header } from "#app/shell/header.tsx";\nimport type { Route } from "./+types/structure.test.ts";\nimport "./app.css";`,
  "app/routes/home.tsx": `import { Card } from "#app/consultations/card.tsx";\nimport { load } from "#app/lib/api.server.ts";\nimport type { loader } from "#app/root.tsx";`,
  "app/consultations/card.tsx": `import { Button } from "../ui/button.tsx";\nimport type { ConsultationView } from "#shared/consultations.ts";\nexport const Card = () => <Button />;`,
  "app/accounts/sign-in/auth-context.tsx": "",
  "app/shell/header.tsx": `import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";\nimport { Button } from "#app/ui/button.tsx";`,
  "app/ui/button.tsx": `import { relativeTime } from "#app/lib/relative-time.ts";\nimport font from "./fonts/titles.woff2?url";`,
  "app/ui/fonts/titles.woff2": "",
  "app/lib/relative-time.ts": "export const relativeTime = () => Date.now();",
  "app/lib/api.server.ts": `import { ERRORS } from "#shared/errors.ts";\nimport type { Context } from "#server/context.ts";\nimport type { contract } from "#shared/contract.ts";`,
  "shared/errors.ts": "export const ERRORS = {};",
  "shared/consultations.ts": `import { z } from "zod";`,
  "shared/operation.ts": `import { oc } from "@orpc/contract";`,
  "shared/contract.ts": `import { ConsultationView } from "./consultations.ts";`,
  "server/app.ts": `import * as build from "virtual:react-router/server-build";\nimport { consultationRoutes } from "./consultations/routes.ts";\nimport { openShell } from "./http/shell.ts";`,
  "server/http/shell.ts": `import { Hono } from "hono";\nimport { pageContext } from "#app/lib/api.server.ts";\nimport { resolve } from "../sessions/session.ts";\npool.query("select 1");`,
  "server/sessions/session.ts": "",
  "server/context.ts": `import { openSmtp } from "./integrations/smtp.ts";`,
  "server/database/handles.ts": `import { Kysely } from "kysely";`,
  "server/integrations/smtp.ts": `import nodemailer from "nodemailer";`,
  "server/accounts/store.ts": `import { sql } from "kysely";`,
  "server/accounts/rules.ts": "",
  "server/accounts/password.ts": "",
  "server/consultations/routes.ts": `import { profile } from "../accounts/store.ts";\nimport { ask } from "./commands.ts";\nimport { present } from "./present.ts";\nimport { whyCannotAsk } from "./rules.ts";`,
  "server/consultations/commands.ts": `import { lock } from "../accounts/store.ts";\nimport { whyCannotAsk } from "./rules.ts";\n\n/** Asks. */\nexport async function ask() {}`,
  "server/consultations/rules.ts": `import type { Kept } from "./store.ts";\nimport { LIMITS } from "#shared/errors.ts";\nimport { isAdmin } from "../accounts/rules.ts";\n\n/** Why not. Not \`Date.now()\`: time is given. */\nexport const whyCannotAsk = (now: Date) => new Date(now.getTime() + 1);`,
  "server/consultations/rules.test.ts": `import { store } from "./commands.ts";\nDate.now();\nsql\`select 1\`;`,
  "server/consultations/store.ts": `import { sql } from "kysely";\nimport type { Db } from "../database/handles.ts";\nexport const all = (db: Db) => db.selectFrom("consultations").select(sql<number>\`1\`);`,
  "server/consultations/present.ts": `import type { Kept } from "./store.ts";\nimport { whyCannotAsk } from "./rules.ts";`,
};

/** The problems of the good tree with some files changed or added. */
const problemsWith = (changed: Record<string, string>) =>
  checkStructure(new Map(Object.entries({ ...GOOD, ...changed })));

/** Expects one problem, about this file, that says this. */
function expectProblem(path: string, source: string, says: string) {
  const problems = problemsWith({ [path]: source });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(path);
  expect(problems[0]).toContain(says);
}

test("a tree with everything in its place has no problems", () => {
  expect(problemsWith({})).toEqual([]);
});

test("this repository has no problems", () => {
  expect(checkStructure(repositoryFiles(join(import.meta.dirname, "..")))).toEqual([]);
});

test("a problem is one sentence that names the file and the rule", () => {
  expect(problemsWith({ "app/ui/card.tsx": `import { Card } from "../consultations/card.tsx";` })).toEqual([
    "app/ui/card.tsx imports app/consultations/card.tsx, but ui may import values of lib alone.",
  ]);
});

test("a file that cannot be parsed is a problem, not a pass", () => {
  expectProblem("shared/lists.ts", "export const = 1", "cannot be parsed");
});

describe("names", () => {
  test.each([
    ["lib/dates.ts", `lies under "lib"`],
    ["tsconfig.build.json", "no known entry"],
    ["app/main.tsx", "no known file of app/"],
    ["app/widgets/card.tsx", "no known folder of app/"],
    ["server/mailer.ts", "no known file of server/"],
    ["server/chat/routes.ts", "no known feature of server/"],
    ["server/consultations/feed.ts", "nor a noun listed"],
    ["server/accounts/cursor.ts", "nor a noun listed"],
    ["server/integrations/store.ts", "nor a noun listed"],
    ["server/accounts/tokens/make.ts", "features are flat"],
    ["server/memberships/prices/rules.ts", "features are flat"],
    ["server/memberships/checkout/price.ts", "nor a noun listed"],
  ])("%s is refused", (path, says) => {
    expectProblem(path, "", says);
  });

  test.each([
    "app/lib/utils.ts",
    "shared/helpers.ts",
    "server/accounts/index.ts",
    "app/ui/date-utils.ts",
    "test/helpers/http.ts",
    "server/accounts/session-manager.ts",
    "server/integrations/mail-service.ts",
  ])("%s is refused because the name says nothing", (path) => {
    expectProblem(path, "", "does not say what is inside");
  });

  test("a listed noun, a test and data beside its reader are accepted", () => {
    expect(
      problemsWith({
        "server/safety/help-lines.json": "",
        "server/safety/help-lines.test.ts": "",
        "server/safety/assess.ts": "",
        "server/accounts/races.test.ts": "",
      }),
    ).toEqual([]);
  });

  test("a listed room of a feature has the files of a feature, and several of a kind with a name each", () => {
    expect(
      problemsWith({
        "server/memberships/checkout/commands.ts": "",
        "server/memberships/checkout/open-rules.ts": `import { price } from "./price-rules.ts";`,
        "server/memberships/checkout/price-rules.ts": `import { isAdmin } from "../../accounts/rules.ts";`,
        "server/memberships/checkout/begun.test.ts": "",
      }),
    ).toEqual([]);
    const sql = `import { sql } from "kysely";`;
    expect(problemsWith({ "server/memberships/checkout/begun-store.ts": sql })).toEqual([]);
    expect(problemsWith({ "server/memberships/checkout/price-rules.ts": sql }).join()).toContain("belongs in a store");
  });

  test("the folder of a payment provider is used by the list of providers, and by itself", () => {
    expect(
      problemsWith({
        "server/memberships/providers/all.ts": `import { openPaypal } from "./paypal/provider.ts";`,
        "server/memberships/providers/paypal/provider.ts": `import { createPaypal } from "./client.ts";\nimport type { PaymentProvider } from "../provider.ts";`,
        "server/memberships/providers/paypal/client.ts": `import { openJsonCalls } from "../../../integrations/json-client.ts";`,
      }),
    ).toEqual([]);
  });

  test("routes of a feature may import the commands of its rooms", () => {
    expect(problemsWith({ "server/memberships/routes.ts": `import { begin } from "./checkout/commands.ts";` })).toEqual(
      [],
    );
  });

  test("a second file of rules is held to what rules are", () => {
    expectProblem(
      "server/memberships/checkout/price-rules.ts",
      "/** Now. */\nexport const now = () => Date.now();",
      "reads the clock",
    );
  });

  test("a longer name may speak of an index", () => {
    expect(problemsWith({ "app/lib/search-index.ts": "" })).toEqual([]);
  });
});

describe("imports of shared", () => {
  test.each([
    [`import { ask } from "#server/consultations/commands.ts";`],
    [`import type { Db } from "../server/database/handles.ts";`],
    [`import { useState } from "react";`],
    [`import { oc } from "@orpc/contract";`],
  ])("%s is refused", (source) => {
    expectProblem("shared/lists.ts", source, "shared may import shared and zod");
  });
});

describe("imports of app", () => {
  test("a shared file with zod gives types, not values", () => {
    expectProblem("app/lib/forms.ts", `import { NewConsultation } from "#shared/consultations.ts";`, "loads zod");
    expect(
      problemsWith({ "app/lib/forms.ts": `import type { NewConsultation } from "#shared/consultations.ts";` }),
    ).toEqual([]);
  });

  test("zod behind another shared file counts", () => {
    expectProblem("app/lib/forms.ts", `import { contract } from "#shared/contract.ts";`, "loads zod");
  });

  test("braces with types alone still load the module", () => {
    expectProblem("app/lib/forms.ts", `import { type View } from "#shared/consultations.ts";`, "loads zod");
  });

  test("passing on what another file exports is an import", () => {
    expectProblem("app/lib/forms.ts", `export { View } from "#shared/consultations.ts";`, "loads zod");
    expectProblem("app/lib/forms.ts", `export * from "#shared/consultations.ts";`, "loads zod");
  });

  test("an import on demand is an import", () => {
    expectProblem("app/lib/forms.ts", `const views = () => import("#shared/consultations.ts");`, "loads zod");
  });

  test.each(["zod", "@orpc/contract"])("%s is not loaded by pages", (name) => {
    expectProblem("app/lib/forms.ts", `import { z } from "${name}";`, "stay on the server");
  });

  test("the server gives types, not values", () => {
    expectProblem("app/lib/forms.ts", `import { openContext } from "#server/context.ts";`, "types alone from server");
  });

  test.each([
    ["app/ui/card.tsx", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/ui/card.tsx", `import type { action } from "#app/routes/home.tsx";`],
    ["app/ui/card.tsx", `import { Header } from "#app/shell/header.tsx";`],
    ["app/lib/card.ts", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/consultations/list.tsx", `import { loader } from "#app/routes/home.tsx";`],
    ["app/consultations/list.tsx", `import { Header } from "../shell/header.tsx";`],
    ["app/consultations/list.tsx", `import { useAuth } from "../accounts/auth-context.tsx";`],
    ["app/shell/footer.tsx", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/routes/landing.tsx", `import { loader } from "./home.tsx";`],
    ["app/routes.ts", `import { loader } from "./routes/home.tsx";`],
  ])("%s: %s is refused", (path, source) => {
    expectProblem(path, source, "may import values of");
  });
});

describe("imports of server", () => {
  test.each([
    [
      "server/consultations/routes.ts",
      `import { pageContext } from "#app/lib/api.server.ts";`,
      "server may not import app",
    ],
    ["server/app.ts", `import { Card } from "#app/consultations/card.tsx";`, "server may not import app"],
    ["server/http/errors.ts", `import * as build from "virtual:react-router/server-build";`, "server/app.ts alone"],
    [
      "server/http/errors.ts",
      `import { consultationRoutes } from "../consultations/routes.ts";`,
      "server/app.ts alone",
    ],
    ["server/http/errors.ts", `import { fake } from "#test/fake-smtp.ts";`, "may not import tests"],
    ["server/http/errors.ts", `import { ask } from "../consultations/commands.ts";`, "http may import"],
    ["server/answers/routes.ts", `import { ask } from "../consultations/commands.ts";`, "own commands"],
    ["server/answers/commands.ts", `import { ask } from "../consultations/commands.ts";`, "commands may import"],
    ["server/answers/commands.ts", `import { present } from "../consultations/present.ts";`, "commands may import"],
    ["server/answers/steps.ts", `import { ask } from "../consultations/commands.ts";`, "steps may import"],
    ["server/answers/store.ts", `import { end } from "../consultations/steps.ts";`, "store may import"],
    ["server/answers/store.ts", `import { ask } from "../consultations/commands.ts";`, "store may import"],
    ["server/answers/jobs.ts", `import { ask } from "../consultations/commands.ts";`, "jobs may import"],
    ["server/accounts/password.ts", `import { ask } from "../consultations/commands.ts";`, "password may import"],
    ["server/answers/present.ts", `import { all } from "../consultations/store.ts";`, "present may import"],
    ["server/answers/present.ts", `import { randomUUID } from "node:crypto";`, "present may import"],
    ["server/answers/rules.ts", `import { all } from "../consultations/store.ts";`, "rules may import"],
    ["server/answers/rules.ts", `import { violatedConstraint } from "../database/handles.ts";`, "rules may import"],
    ["server/answers/rules.ts", `import { hash } from "../accounts/password.ts";`, "rules may import"],
    ["server/answers/rules.ts", `import { z } from "zod";`, "rules may import"],
    ["server/answers/rules.ts", `import type { Kysely } from "kysely";`, "no database"],
    ["server/answers/rules.ts", `import type { Context } from "hono";`, "no database and no HTTP"],
    [
      "server/memberships/sweep/jobs.ts",
      `import { openPaypal } from "../providers/paypal/provider.ts";`,
      "all.ts alone may import the folder of a provider",
    ],
    [
      "server/memberships/sweep/jobs.ts",
      `import type { Paypal } from "../providers/paypal/client.ts";`,
      "all.ts alone may import the folder of a provider",
    ],
    [
      "server/memberships/providers/paypal/provider.ts",
      `import { isSigned } from "../mercadopago/signature.ts";`,
      "all.ts alone may import the folder of a provider",
    ],
    [
      "server/memberships/providers/paypal/provider.ts",
      `import { subscriptionById } from "../../store.ts";`,
      "provider may import",
    ],
    ["server/memberships/sweep/jobs.ts", `import { begin } from "../checkout/commands.ts";`, "jobs may import"],
    [
      "server/integrations/smtp.ts",
      `import { isAdmin } from "../accounts/rules.ts";`,
      "integrations may import no feature",
    ],
    [
      "server/integrations/smtp.ts",
      `import type { Kept } from "../consultations/store.ts";`,
      "integrations may import no feature",
    ],
    ["server/mail/jobs.ts", `import { profile } from "../accounts/store.ts";`, "the ground may import no feature"],
    ["server/sessions/rules.ts", `import type { A } from "../accounts/rules.ts";`, "the ground may import no feature"],
  ])("%s: %s is refused", (path, source, says) => {
    expectProblem(path, source, says);
  });

  test("a rule may speak of any type of ours", () => {
    expect(
      problemsWith({ "server/answers/rules.ts": `import type { Kept } from "../consultations/store.ts";` }),
    ).toEqual([]);
  });

  test("the demo may do what its people do", () => {
    expect(problemsWith({ "server/demo/load.ts": `import { ask } from "../consultations/commands.ts";` })).toEqual([]);
  });
});

describe("rules and the clock", () => {
  test.each(["Date.now()", "new Date()", "new Date"])("%s in a rule is refused", (clock) => {
    expectProblem("server/answers/rules.ts", `const now = ${clock};`, "time is an argument");
  });

  test("a rule may make a time from a time", () => {
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
  ])("%s in a command is refused", (source) => {
    expectProblem("server/answers/commands.ts", source, "holds SQL");
  });

  test("SQL in a page and in a file beside the store is refused too", () => {
    expectProblem("app/routes/landing.tsx", `pool.query("select 1");`, "holds SQL");
    expectProblem("server/sessions/session.ts", `db.selectFrom("sessions");`, "holds SQL");
  });

  test("types of the query builder and SQL in a comment are no SQL", () => {
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
  ])("%s is refused: its caller has a transaction", (source) => {
    expectProblem("server/answers/steps.ts", `/** Removes. */\n${source}`, 'take "tx: Tx"');
  });

  test("a step may take more than its transaction, on several lines", () => {
    const source =
      "/** Removes. */\nexport async function remove(\n  { boss }: Context,\n  tx: Tx,\n  id: string,\n) {}";
    expect(problemsWith({ "server/answers/steps.ts": source, "server/threads/steps.ts": source })).toEqual([]);
  });
});

describe("the product's name", () => {
  test.each([
    ["app/routes/landing.tsx", "export default () => <p>Diván es gratis.</p>;"],
    ["app/lib/words.ts", `export const WORDS = "Diván";`],
    ["server/accounts/mails.ts", "export const subject = `Tu cuenta de Diván`;"],
  ])("%s: %s is refused", (path, source) => {
    expectProblem(path, source, "spells the product's name");
  });

  test("one file holds it, comments and tests may say it", () => {
    expect(
      problemsWith({
        "shared/product.ts": `export const PRODUCT_NAME = "Diván";`,
        "app/lib/words.ts": "/** What Diván says. */\nexport const WORDS = []; // Diván's",
        "app/lib/words.test.ts": `expect(title).toBe("Diván");`,
      }),
    ).toEqual([]);
  });
});

describe("circles", () => {
  test("two files that load each other are refused, once", () => {
    const problems = problemsWith({
      "shared/lists.ts": `import "./limits.ts";`,
      "shared/limits.ts": `import "./lists.ts";`,
    });
    expect(problems).toEqual([
      "shared/lists.ts is in a circle of imports: shared/lists.ts -> shared/limits.ts -> shared/lists.ts.",
    ]);
  });

  test("a circle through three files is found, also when it is entered from outside", () => {
    const problems = problemsWith({
      "shared/a.ts": `import "./b.ts";`,
      "shared/b.ts": `import "./c.ts";`,
      "shared/c.ts": `export * from "./d.ts";`,
      "shared/d.ts": `import "./b.ts";`,
    });
    expect(problems).toEqual([
      "shared/b.ts is in a circle of imports: shared/b.ts -> shared/c.ts -> shared/d.ts -> shared/b.ts.",
    ]);
  });

  test("a type closes no circle", () => {
    expect(
      problemsWith({
        "shared/lists.ts": `import "./limits.ts";`,
        "shared/limits.ts": `import type { List } from "./lists.ts";`,
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
  ])("%s is refused in commands and rules", (source, name) => {
    expectProblem("server/answers/commands.ts", source, `exports ${name} without a docstring`);
    expectProblem("server/answers/rules.ts", source, `exports ${name} without a docstring`);
  });

  test("what is no function, or not exported, or in another file, needs none", () => {
    const free =
      "export const LIMIT = 3;\nexport type Answer = { id: string };\nexport const KINDS = new Map([[1, 2]]);\nfunction own() {}";
    expect(
      problemsWith({ "server/answers/rules.ts": free, "server/answers/store.ts": "export const all = () => 1;" }),
    ).toEqual([]);
  });

  test("a docstring may stand on several lines, with letters and signs of any width", () => {
    expect(
      problemsWith({ "server/answers/rules.ts": "/**\n * «Año» 🙂.\n */\nexport const answer = () => 1;" }),
    ).toEqual([]);
  });
});

/** Stems of the words that people read, as they would look in a name. */
const SPANISH =
  /consulta(?!tion)|respuesta|comentario|resena|reseña|psicolog|usuario|perfil|correo|clave|\bpagos?\b|plan(es|o)\b|nombre|pais\b|ayuda|matricula|sesion|voto|fecha|estado\b/i;

test("operations, tables and columns have English names", () => {
  const paths = Object.values(contract).flatMap((group) =>
    Object.entries(group).map(([name, procedure]) => `${name} ${procedure["~orpc"].route.path}`),
  );
  const schema = readFileSync(join(import.meta.dirname, "..", "migrations", "schema.sql"), "utf8");
  // What stands in quotes is values: names of countries, words of tags.
  const names = schema.replaceAll(/'[^']*'/g, "").match(/\b[\p{L}_]+\b/gu)!;
  expect(paths.length).toBeGreaterThan(50);
  expect(names.length).toBeGreaterThan(500);
  expect([...paths, ...new Set(names)].filter((name) => SPANISH.test(name) || /[^\x20-\x7e]/.test(name))).toEqual([]);
});
