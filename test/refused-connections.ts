import { inject } from "vitest";
import type { TestApp } from "./app.ts";
import { connected } from "./load.ts";

/**
 * Refuses new connections to a database during `work`, as if it were down.
 * @param work gets a function that ends the connections whose names match a pattern, and returns their number
 */
export function whileConnectionsAreRefused(
  { databaseUrl }: Pick<TestApp, "databaseUrl">,
  names: string,
  work: (end: () => Promise<number | null>) => Promise<void>,
): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1);
  return connected(inject("postgres").admin, async (admin) => {
    const ending =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like $2";
    await admin.query(`alter database ${database} allow_connections false`);
    try {
      await work(async () => (await admin.query(ending, [database, names])).rowCount);
    } finally {
      await admin.query(`alter database ${database} allow_connections true`);
    }
  });
}
