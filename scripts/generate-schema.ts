/** Generates the types of both database handles from the migrations. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { migrate } from "#server/database/migrate.ts";
import { createQueues } from "#server/queues.ts";

/** Nullable columns of views, which PostgreSQL does not know. */
const NULLABLE = {
  Answers: ["edited_at"],
  CommunityNumbers: [],
  ConsultationSearch: [],
  Consultations: ["author_label", "category", "edited_at"],
  DeletedItems: [],
  Psychologists: ["specialty", "country", "bio", "phone", "whatsapp", "website", "rating", "gold_until", "avatar_url"],
  Replies: ["edited_at"],
  Reviews: ["author_label", "comment", "edited_at"],
  VerifiedPsychologists: ["country", "rating", "gold_until"],
} as Record<string, string[]>;

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "divan-schema-"));
chmodSync(folder, 0o755);
const server = await startEmbeddedPostgres(folder, { fsync: "off" });
try {
  await migrate(server.url, createQueues);
  const codegen = (schema: string, file: string) =>
    execFileSync(
      process.execPath,
      [
        join(root, "node_modules", "kysely-codegen", "dist", "cli", "bin.js"),
        "--dialect",
        "postgres",
        "--url",
        server.url,
        "--default-schema",
        schema,
        "--include-pattern",
        `${schema}.*`,
        "--exclude-pattern",
        `${schema}.migrations`,
        "--out-file",
        join(root, "server", "database", file),
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
  codegen("public", "types.ts");
  codegen("visible", "visible-types.ts");
  const file = join(root, "server", "database", "visible-types.ts");
  const exact = readFileSync(file, "utf8").replace(
    /export interface (\w+) \{\n([^}]*)\}/g,
    (whole, name: string, body: string) =>
      name === "DB"
        ? whole
        : `export interface ${name} {\n${body.replace(/^ {2}(\w+): (.*) \| null;$/gm, (line, column: string, type: string) => (NULLABLE[name]!.includes(column) ? line : `  ${column}: ${type};`))}}`,
  );
  writeFileSync(file, exact);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
