/** Generates from the migrations: the types of both database handles, and migrations/schema.sql for reading. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { openClient } from "#server/database/handles.ts";
import { migrate } from "#server/database/migrate.ts";
import { createQueues } from "#server/queues.ts";

/** Nullable columns of views, which PostgreSQL does not know. */
const NULLABLE = {
  Answers: ["edited_at"],
  CommunityNumbers: [],
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

  const client = openClient({ connectionString: server.url });
  await client.connect();
  const rows = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  const out = ["-- For reading: what the migrations amount to. Written by scripts/generate-schema.ts; never run.", ""];
  const tables = await rows<{ oid: number; name: string }>(
    "select oid, relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' order by relname",
  );
  for (const table of tables) {
    const columns = await rows<{ line: string }>(
      `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end ||
         case when d.oid is null then '' when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored' else ' default ' || pg_get_expr(d.adbin, d.adrelid) end as line
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = ${table.oid} and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    );
    const constraints = await rows<{ line: string }>(
      `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint where conrelid = ${table.oid} and contype in ('p','u','f','c') order by contype = 'p' desc, contype, conname`,
    );
    out.push(
      `create table ${table.name} (`,
      [...columns, ...constraints].map((row) => `  ${row.line}`).join(",\n"),
      ");",
    );
    for (const index of await rows<{ line: string }>(
      `select pg_get_indexdef(i.indexrelid) || ';' as line from pg_index i left join pg_constraint c on c.conindid = i.indexrelid where i.indrelid = ${table.oid} and c.oid is null order by 1`,
    ))
      out.push(index.line);
    out.push("");
  }
  for (const view of await rows<{ name: string; body: string }>(
    "select relname as name, pg_get_viewdef(oid, true) as body from pg_class where relnamespace = 'visible'::regnamespace order by relname",
  ))
    out.push(`create view visible.${view.name} as`, view.body, "");
  const { rows: grants } = await client.query(
    "select table_schema || '.' || table_name as name, string_agg(lower(privilege_type), ', ' order by privilege_type) as rights from information_schema.role_table_grants where grantee = 'divan_public' group by 1 order by 1",
  );
  for (const grant of grants) out.push(`grant ${grant.rights} on ${grant.name} to divan_public;`);
  writeFileSync(join(root, "migrations", "schema.sql"), `${out.join("\n")}\n`);
  await client.end();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
