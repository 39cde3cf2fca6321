import { expect } from "vitest";
import type { TestApp } from "./app.ts";

export async function dumpDatabase(app: TestApp): Promise<string> {
  const tables = await app.sql<{ name: string }>(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.accounts", "public.sessions"]));
  let all = "";
  for (const { name } of tables) {
    const [found] = await app.sql<{ rows: string | null }>(
      `select string_agg(kept::text, chr(10)) as rows from ${name} kept`,
    );
    all += `${name}\n${found!.rows ?? ""}\n`;
  }
  return all;
}
