import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { dataFolder, emptyDatabase, type Server, startServer } from "../e2e/server.ts";
import { startPushService } from "./fakes/push-service.ts";
import { insertUser } from "./people.ts";

// The server is killed while the push service handles a push, so that it never learns whether the push was accepted.

let service: Awaited<ReturnType<typeof startPushService>>;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let folder: ReturnType<typeof dataFolder>;
let environment: Record<string, string>;
let server: Server;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startPushService();
  folder = dataFolder();
  database = await emptyDatabase(inject("postgres").admin);
  environment = { DATA_DIR: folder.path, DATABASE_URL: database.url, DEMO: "on", PUSH_TEST_ORIGIN: service.url };
  server = await startServer(environment);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await server.stop();
  await pool.end();
  await service.close();
  await database.drop();
  folder.remove();
});

test("a server that is killed during a push sends it to no browser again", async () => {
  const sql = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  const author = await insertUser(sql);
  const psychologist = await insertUser(sql, { type: "psychologist" });
  const call = async (as: typeof author, method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json", origin: server.url, cookie: as.cookie };
    const response = await fetch(`${server.url}/api${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const browser = service.browser();
  await call(author, "PUT", "/notifications/choices", { device: browser.subscription });
  const question = { title: "Una pregunta", content: "Un texto con más de veinte caracteres.", country: "Chile" };
  const { id } = await call(author, "POST", "/consultations", { ...question, is_anonymous: true });
  const killed = new Promise<void>((done, failed) => {
    service.respond = () => {
      service.respond = () => 201;
      return server
        .kill()
        .then(done, failed)
        .then(() => 201);
    };
  });
  await call(psychologist, "POST", `/consultations/${id}/answers`, { content: "Una respuesta" });
  await killed;
  const job = async () => (await sql("select state::text, retry_count from pgboss.job where name = 'push'"))[0];
  expect(await job()).toEqual({ state: "active", retry_count: 0 });
  server = await startServer(environment);
  // The queue does the same when the job expires.
  await sql("update pgboss.job set state = 'retry', start_after = now() where name = 'push'");
  await expect.poll(job).toEqual({ state: "completed", retry_count: 1 });
  expect(browser.payloads()).toHaveLength(1);
});
