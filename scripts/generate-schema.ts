/** Generates the types of both database handles from the migrations. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { migrate } from "#server/database/migrate.ts";
import { createQueues } from "#server/queues.ts";

/** Nullable columns of views, which PostgreSQL does not know. */
const NULLABLE: Record<string, string[]> = {
  Answers: ["edited_at"],
  Consultations: ["author_label", "category", "edited_at"],
  Psychologists: ["specialty", "country", "bio", "phone", "whatsapp", "website", "rating", "gold_until", "avatar_url"],
  Replies: ["edited_at"],
  Reviews: ["author_label", "comment", "edited_at"],
  VerifiedPsychologists: ["country", "rating", "gold_until"],
};

/** Tables and views that only SQL texts name. */
const WITHOUT_TYPE = `public.migrations public.community_counts public.consultation_search public.mail_throttle
  public.notifications visible.deleted_items`.split(/\s+/);

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "divan-schema-"));
chmodSync(folder, 0o755);
const server = await startEmbeddedPostgres(folder, { fsync: "off" });

/** Writes the types of a schema. @returns the file */
function generate(schema: string, name: string): string {
  const file = join(root, "server", "database", name);
  const source = ["--dialect=postgres", `--url=${server.url}`, `--default-schema=${schema}`];
  const tables = [`--include-pattern=${schema}.*`, `--exclude-pattern={${WITHOUT_TYPE}}`];
  const types = ['--type-mapping={"jsonb":"unknown","numeric":"string"}'];
  const program = join(root, "node_modules", "kysely-codegen", "dist", "cli", "bin.js");
  execFileSync(process.execPath, [program, ...source, ...tables, ...types, `--out-file=${file}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return file;
}

try {
  await migrate(server.url, createQueues);
  generate("public", "types.ts");
  const file = generate("visible", "visible-types.ts");
  let nullable: string[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  const exact = lines.map((line) => {
    const view = /^export interface (\w+)/.exec(line)?.[1];
    if (view) nullable = NULLABLE[view] ?? [];
    const [, column] = /^ {2}(\w+): .* \| null;$/.exec(line) ?? [];
    return column && !nullable.includes(column) ? line.replace(" | null;", ";") : line;
  });
  writeFileSync(file, exact.join("\n"));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
