import { expect } from "vitest";
import { checkStructure } from "./check-structure.ts";

/** A small valid tree; each test breaks one rule. */
const GOOD = {
  "package.json": "",
  "docs/glossary.md": "",
  "migrations/0001_accounts.sql": "",
  "app/app.css": "",
  "app/root.tsx": `import { Header } from "#app/layout/header.tsx";\nimport type { Route } from "./+types/root.ts";\nimport "./app.css";`,
  "app/routes/home.tsx": `import { Card } from "#app/consultations/card.tsx";\nimport { load } from "#app/lib/page-request.server.ts";\nimport type { loader } from "#app/root.tsx";`,
  "app/consultations/card.tsx": `import { Button } from "../ui/button.tsx";\nimport type { ConsultationView } from "#shared/consultations.ts";\nexport const Card = () => <Button />;`,
  "app/accounts/sign-in/auth-context.tsx": "",
  "app/layout/header.tsx": `import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";\nimport { Button } from "#app/ui/button.tsx";`,
  "app/ui/button.tsx": `import { formatRelativeTime } from "#app/lib/relative-time.ts";\nimport font from "./fonts/titles.woff2?url";`,
  "app/ui/fonts/titles.woff2": "",
  "app/lib/relative-time.ts": "export const formatRelativeTime = () => Date.now();",
  "app/lib/page-request.server.ts": `import { ERRORS } from "#shared/errors.ts";\nimport type { Context } from "#server/context.ts";\nimport type { contract } from "#shared/contract.ts";`,
  "shared/errors.ts": "export const ERRORS = {};",
  "shared/consultations.ts": `import { z } from "zod";`,
  "shared/operation.ts": `import { oc } from "@orpc/contract";`,
  "shared/contract.ts": `import { ConsultationView } from "./consultations.ts";`,
  "server/app.ts": `import * as build from "virtual:react-router/server-build";\nimport { consultationRoutes } from "./consultations/routes.ts";\nimport { openShell } from "./http/shell.ts";`,
  "server/http/shell.ts": `import { Hono } from "hono";\nimport { pageContext } from "#app/lib/page-request.server.ts";\nimport { resolve } from "../sessions/session.ts";\npool.query("select 1");`,
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

/** Returns the problems of the valid tree with some files changed or added. */
export const problemsWith = (changed: Record<string, string>) =>
  checkStructure(new Map(Object.entries({ ...GOOD, ...changed })));

/** Expects one problem about this file that contains a text. */
export function expectProblem(path: string, source: string, says: string) {
  const problems = problemsWith({ [path]: source });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(path);
  expect(problems[0]).toContain(says);
}
