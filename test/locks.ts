import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { connected } from "./load.ts";

const blockedConnections = async (app: Pick<TestApp, "sql">): Promise<number> =>
  (
    await app.sql(
      "select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()",
    )
  ).length;

/** Waits until `count` connections wait for a lock, at most 2.8 s: less than their `lock_timeout` of 3 s. */
export const waitForBlockedQueries = (app: Pick<TestApp, "sql">, count: number) =>
  expect.poll(() => blockedConnections(app), { interval: 10, timeout: 2_800 }).toBe(count);

/**
 * Locks rows, starts the calls one after another, each when the previous one waits for the lock, then releases the
 * lock. Code that reads before it locks always reads too early here.
 */
export function withRowsLocked<Result>(
  app: TestApp,
  lock: string,
  values: unknown[],
  starts: (() => Promise<Result>)[],
): Promise<Result[]> {
  return connected(app.databaseUrl, async (client) => {
    await client.query("begin");
    await client.query(lock, values);
    const started: Promise<Result>[] = [];
    for (const start of starts) {
      started.push(start());
      await waitForBlockedQueries(app, started.length);
    }
    await client.query("commit");
    return Promise.all(started);
  });
}

/** Locks one row for update instead. */
export const whileRowLocked = <Result>(app: TestApp, table: string, id: string, starts: (() => Promise<Result>)[]) =>
  withRowsLocked(app, `select from ${table} where id = $1 for update`, [id], starts);
