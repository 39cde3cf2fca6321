import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { migrate } from "#server/database/migrate.ts";
import { createQueues } from "#server/queues.ts";
import { createReader, startPooler } from "./database-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server's administrative database, and name of the migrated database that every test file clones. */
    postgres: { admin: string; template: string };
    /** The pooler in front of that server, if DIVAN_POOLER is set. */
    pooler: { port: number; readerPassword: string } | null;
  }
}

/** Starts one PostgreSQL for the whole run: the embedded one, or the server of DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  let folder: string | undefined;
  let stop = async () => {};
  let admin: string;
  if (given) {
    admin = given;
  } else {
    folder = mkdtempSync(join(tmpdir(), "divan-test-"));
    chmodSync(folder, 0o755);
    // Test data need not survive a power failure.
    const server = await startEmbeddedPostgres(folder, {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
    });
    stop = server.stop;
    admin = server.url;
  }
  const template = `divan_template_${process.pid}`;
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`create database ${template}`);
  const url = new URL(admin);
  url.pathname = `/${template}`;
  await migrate(url.href, createQueues);
  project.provide("postgres", { admin, template });
  const readerPassword = process.env.DIVAN_POOLER && (await createReader(client));
  const pooler = readerPassword ? await startPooler(admin, readerPassword) : null;
  project.provide("pooler", pooler && { port: pooler.port, readerPassword: readerPassword! });
  return async () => {
    await pooler?.stop();
    // The folder of our own server is deleted with its databases.
    if (given) {
      const made = await client.query("select datname from pg_database where starts_with(datname, $1)", [template]);
      for (const { datname } of made.rows) await client.query(`drop database ${datname} with (force)`);
    }
    await client.end();
    await stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  };
}
