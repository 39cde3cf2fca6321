/**
 * The server with PgBouncer in transaction mode (docs/decisions/0008). The full run also repeats the server's tests
 * with it.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { dataFolder, emptyDatabase, type Server, startServer } from "../e2e/server.ts";
import { createReader, HAS_PGBOUNCER, poolerEnvironment, setPoolerSettings, startPooler } from "./database-cluster.ts";
import { connected, pause } from "./load.ts";

describe.skipIf(!HAS_PGBOUNCER)("a server behind a pooler in transaction mode", () => {
  const folder = dataFolder();
  let database: { url: string; drop(): Promise<void> };
  let password: string;
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  const sql = (text: string, values?: unknown[]) =>
    connected(database.url, async (client) => (await client.query(text, values)).rows);
  const started = async (settings: Record<string, string>): Promise<Server> => {
    const server = await startServer(settings);
    onTestFinished(() => server.stop());
    return server;
  };

  beforeAll(async () => {
    database = await emptyDatabase(inject("postgres").admin);
    password = await connected(database.url, createReader);
    pooler = await startPooler(database.url, password);
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
    folder.remove();
  });

  test("refuses to start without DATABASE_DIRECT_URL, and uses no replica, if the pooler drops settings", async () => {
    const dropping = await startPooler(database.url, password, ["ignore_startup_parameters = options"]);
    onTestFinished(dropping.stop);
    const { DATABASE_URL } = poolerEnvironment(database.url, dropping.port, password);
    const settings = { DATA_DIR: folder.path, DEMO: "on" };
    await expect(startServer({ ...settings, DATABASE_URL })).rejects.toThrow(
      /DATABASE_URL ignores settings of connections/,
    );
    const server = await started({ ...settings, DATABASE_URL: database.url, DATABASE_REPLICA_URL: DATABASE_URL });
    const refusal = '"event":"replica_not_used","reason":"DATABASE_REPLICA_URL ignores settings of connections';
    await expect.poll(server.output).toContain(refusal);
    expect(server.output()).not.toContain('"event":"replica_used"');
  });

  test("hears changes without the pooler", async () => {
    const { username, pathname } = new URL(database.url);
    await connected(database.url, (client) => setPoolerSettings(client, username, pathname.slice(1)));
    const server = await started({
      ...poolerEnvironment(database.url, pooler.port, password),
      DATA_DIR: folder.path,
      DEMO: "on",
      WORKERS: "2",
    });
    const [consultation] = await sql(
      `insert into consultations (title, content, country, is_anonymous)
       values ('Una consulta', 'Un texto con más de veinte caracteres.', 'Chile', true) returning id`,
    );
    const page = async () => (await fetch(`${server.url}/consulta/${consultation.id}`)).text();
    // Both workers cache the page.
    for (let n = 0; n < 4; n++) await page();
    const title = `Un título ${randomUUID()}`;
    await sql("update consultations set title = $1 where id = $2", [title, consultation.id]);
    await pause(250);
    for (let n = 0; n < 4; n++) expect(await page()).toContain(title);
  });
});
