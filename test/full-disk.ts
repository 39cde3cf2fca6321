import type { TestApp } from "./app.ts";

/**
 * Refuses writes during `work`, as PostgreSQL does if its disk is full.
 * @param writes such as "update or delete on sessions"
 */
export async function withFullDisk<Result>(
  { sql }: Pick<TestApp, "sql">,
  writes: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  await sql("create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$");
  try {
    for (const write of writes) await sql(`create trigger refuse before ${write} execute function refuse()`);
    return await work();
  } finally {
    await sql("drop function refuse cascade");
  }
}
