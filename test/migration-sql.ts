import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Names that later migrations have changed. */
const NOW = new Map([
  ["answers_come", "answers_received"],
  ["answers_told", "answers_listed"],
  ["mail_answers", "notify_on_answer"],
  ["mail_choices", "mail_preferences"],
  ["goes_at", "delete_at"],
  ["settles_at", "rewrite_at"],
]);

/** Returns the SQL of an older migration with the names that tables and columns have today. */
export const migrationSql = (file: string): string =>
  readFileSync(join(import.meta.dirname, "..", "migrations", file), "utf8").replace(
    /\w+/g,
    (name) => NOW.get(name) ?? name,
  );
