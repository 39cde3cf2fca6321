import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkStructure, repositoryFiles } from "./check-structure.ts";
import { expectProblem, problemsWith } from "./valid-tree.ts";

test("checkStructure returns no problem for a valid tree", () => {
  expect(problemsWith({})).toEqual([]);
});

test("checkStructure returns no problem for this repository", () => {
  expect(checkStructure(repositoryFiles(join(import.meta.dirname, "..")))).toEqual([]);
});

test("checkStructure returns one sentence with the file and the rule", () => {
  expect(problemsWith({ "app/ui/card.tsx": `import { Card } from "../consultations/card.tsx";` })).toEqual([
    "app/ui/card.tsx imports app/consultations/card.tsx, but ui may import values of lib only.",
  ]);
});

test("checkStructure reports a file that cannot be parsed", () => {
  expectProblem("shared/countries.ts", "export const = 1", "cannot be parsed");
});

describe("names", () => {
  test.each([
    ["lib/dates.ts", `is under "lib"`],
    ["tsconfig.build.json", "not a known entry"],
    ["app/main.tsx", "an unknown file of app/"],
    ["app/widgets/card.tsx", "an unknown folder of app/"],
    ["server/mailer.ts", "an unknown file of server/"],
    ["server/chat/routes.ts", "an unknown feature of server/"],
    ["server/consultations/feed.ts", "nor a noun listed"],
    ["server/accounts/cursor.ts", "nor a noun listed"],
    ["server/integrations/store.ts", "nor a noun listed"],
    ["server/accounts/tokens/make.ts", "features are flat"],
    ["server/memberships/prices/rules.ts", "features are flat"],
    ["server/memberships/checkouts/price.ts", "nor a noun listed"],
  ])("refuses %s", (path, says) => {
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
  ])("refuses %s, whose name does not describe its content", (path) => {
    expectProblem(path, "", "does not describe its content");
  });

  test("accepts a listed noun, a test or data next to its reader", () => {
    expect(
      problemsWith({
        "server/safety/help-lines.json": "",
        "server/safety/help-lines.test.ts": "",
        "server/sessions/viewer.ts": "",
        "server/accounts/races.test.ts": "",
      }),
    ).toEqual([]);
  });

  test("accepts a listed subfolder with a feature's files, several of a kind with different names", () => {
    expect(
      problemsWith({
        "server/memberships/checkouts/commands.ts": "",
        "server/memberships/checkouts/open-rules.ts": `import { price } from "./price-rules.ts";`,
        "server/memberships/checkouts/price-rules.ts": `import { isAdmin } from "../../accounts/rules.ts";`,
        "server/memberships/checkouts/begun.test.ts": "",
      }),
    ).toEqual([]);
    const sql = `import { sql } from "kysely";`;
    expect(problemsWith({ "server/memberships/checkouts/begun-store.ts": sql })).toEqual([]);
    expect(problemsWith({ "server/memberships/checkouts/price-rules.ts": sql }).join()).toContain("belongs in a store");
  });

  test("allows the folder of a provider only in the list of providers and in itself", () => {
    expect(
      problemsWith({
        "server/memberships/providers/registry.ts": `import { openPaypal } from "./paypal/provider.ts";`,
        "server/memberships/providers/paypal/provider.ts": `import { readSubscription } from "./snapshot.ts";\nimport type { PaymentProvider } from "../../../integrations/payment-provider.ts";`,
        "server/memberships/providers/paypal/snapshot.ts": `import { createPaypal } from "../../../integrations/paypal-client.ts";`,
      }),
    ).toEqual([]);
  });

  test("allows routes of a feature to import commands of its subfolders", () => {
    expect(
      problemsWith({ "server/memberships/routes.ts": `import { begin } from "./checkouts/commands.ts";` }),
    ).toEqual([]);
  });

  test("applies the rules of rules to a second file of rules", () => {
    expectProblem(
      "server/memberships/checkouts/price-rules.ts",
      "/** Now. */\nexport const now = () => Date.now();",
      "reads the clock",
    );
  });

  test('accepts a longer name that contains "index"', () => {
    expect(problemsWith({ "app/lib/search-index.ts": "" })).toEqual([]);
  });
});

describe("imports of shared", () => {
  test.each([
    [`import { ask } from "#server/consultations/commands.ts";`],
    [`import type { Db } from "../server/database/handles.ts";`],
    [`import { useState } from "react";`],
    [`import { oc } from "@orpc/contract";`],
  ])("refuses %s", (source) => {
    expectProblem("shared/countries.ts", source, "shared may import shared and zod");
  });
});

describe("imports of app", () => {
  test("allows only types from a shared file that imports zod", () => {
    expectProblem("app/lib/forms.ts", `import { NewConsultation } from "#shared/consultations.ts";`, "load zod");
    expect(
      problemsWith({ "app/lib/forms.ts": `import type { NewConsultation } from "#shared/consultations.ts";` }),
    ).toEqual([]);
  });

  test("refuses a shared file that imports zod indirectly", () => {
    expectProblem("app/lib/forms.ts", `import { contract } from "#shared/contract.ts";`, "load zod");
  });

  test("refuses braces with only types, because they load the module", () => {
    expectProblem("app/lib/forms.ts", `import { type View } from "#shared/consultations.ts";`, "load zod");
  });

  test("treats a re-export as an import", () => {
    expectProblem("app/lib/forms.ts", `export { View } from "#shared/consultations.ts";`, "load zod");
    expectProblem("app/lib/forms.ts", `export * from "#shared/consultations.ts";`, "load zod");
  });

  test("treats a dynamic import as an import", () => {
    expectProblem("app/lib/forms.ts", `const views = () => import("#shared/consultations.ts");`, "load zod");
  });

  test.each(["zod", "@orpc/contract"])("refuses %s in pages", (name) => {
    expectProblem("app/lib/forms.ts", `import { z } from "${name}";`, "stay on the server");
  });

  test("allows only types from the server", () => {
    expectProblem("app/lib/forms.ts", `import { openContext } from "#server/context.ts";`, "only types from server");
  });

  test.each([
    ["app/ui/card.tsx", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/ui/card.tsx", `import type { action } from "#app/routes/home.tsx";`],
    ["app/ui/card.tsx", `import { Header } from "#app/layout/header.tsx";`],
    ["app/lib/card.ts", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/consultations/list.tsx", `import { loader } from "#app/routes/home.tsx";`],
    ["app/consultations/list.tsx", `import { Header } from "../layout/header.tsx";`],
    ["app/consultations/list.tsx", `import { useAuth } from "../accounts/auth-context.tsx";`],
    ["app/layout/footer.tsx", `import { Card } from "#app/consultations/card.tsx";`],
    ["app/routes/landing.tsx", `import { loader } from "./home.tsx";`],
    ["app/routes.ts", `import { loader } from "./routes/home.tsx";`],
  ])("refuses in %s: %s", (path, source) => {
    expectProblem(path, source, "may import values of");
  });
});

describe("imports of server", () => {
  test.each([
    [
      "server/consultations/routes.ts",
      `import { pageContext } from "#app/lib/page-request.server.ts";`,
      "server may not import app",
    ],
    ["server/app.ts", `import { Card } from "#app/consultations/card.tsx";`, "server may not import app"],
    ["server/http/errors.ts", `import * as build from "virtual:react-router/server-build";`, "only server/app.ts"],
    ["server/http/errors.ts", `import { consultationRoutes } from "../consultations/routes.ts";`, "only server/app.ts"],
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
    ["server/answers/rules.ts", `import type { Kysely } from "kysely";`, "neither database"],
    ["server/answers/rules.ts", `import type { Context } from "hono";`, "neither database nor HTTP"],
    [
      "server/memberships/reading/jobs.ts",
      `import { openPaypal } from "../providers/paypal/provider.ts";`,
      "only memberships/providers/registry.ts may import the folder of a provider",
    ],
    [
      "server/memberships/reading/jobs.ts",
      `import type { Seen } from "../providers/paypal/snapshot.ts";`,
      "only memberships/providers/registry.ts may import the folder of a provider",
    ],
    [
      "server/memberships/providers/paypal/provider.ts",
      `import { readSubscription } from "../mercadopago/snapshot.ts";`,
      "only memberships/providers/registry.ts may import the folder of a provider",
    ],
    [
      "server/memberships/providers/paypal/provider.ts",
      `import { membershipById } from "../../store.ts";`,
      "provider may import",
    ],
    ["server/memberships/reading/jobs.ts", `import { begin } from "../checkouts/commands.ts";`, "jobs may import"],
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
  ])("refuses in %s: %s", (path, source, says) => {
    expectProblem(path, source, says);
  });

  test("allows types of any file in rules", () => {
    expect(
      problemsWith({ "server/answers/rules.ts": `import type { Kept } from "../consultations/store.ts";` }),
    ).toEqual([]);
  });

  test("allows commands in the demo", () => {
    expect(problemsWith({ "server/demo/load.ts": `import { ask } from "../consultations/commands.ts";` })).toEqual([]);
  });
});
