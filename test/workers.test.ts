/** Kills workers and nodes of the real server under load. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { type Server, startPrivateServer, startServer } from "../e2e/server.ts";
import { type Answer, addPeople, connected, type Load, lost, putLoad, shown } from "./load.ts";
import { childrenOf, isAlive } from "./processes.ts";
import { whileConnectionsAreRefused } from "./refused-connections.ts";

const KILLS = 10;
/** Longest time without a replacement, in milliseconds: twice the time in which the node starts without load. */
let backMs: number;
/** Time within which clients notice a kill, in milliseconds. A request that they send earlier is lost too. */
const NOTICED_MS = 100;
const LOAD = { readers: 8, writers: 4 };

let node: Awaited<ReturnType<typeof startPrivateServer>>;

beforeAll(async () => {
  const began = Date.now();
  node = await startPrivateServer(inject("postgres").admin, { WORKERS: "2" });
  backMs = 2 * (Date.now() - began);
});
afterAll(() => node.close());

// Opens a connection for each query, because a test ends all open ones.
const sql = (text: string, values?: unknown[]) =>
  connected(node.databaseUrl, async (client) => (await client.query(text, values)).rows);

async function underLoad(server: Server): Promise<Load> {
  const people = await addPeople(node.databaseUrl, 400);
  const consultations = (
    await sql(
      `insert into consultations (title, content, country, is_anonymous, user_id)
       select 'Consulta ' || n, 'Lo que se confirma no se pierde.', 'Chile', true, $1 from generate_series(1, 20) n returning id`,
      [people[0]!.id],
    )
  ).map((row) => row.id as string);
  const load = putLoad(server, people, consultations, LOAD);
  onTestFinished(load.end);
  return load;
}

const all = ({ answers, help }: Load): Answer[] => [...answers, ...help];
const failed = ({ status }: Answer) => !(status >= 200 && status < 400);

/** Waits for more than 20 writes, so that a loss would show. */
async function someWrites(load: Load): Promise<void> {
  const before = load.votes.size;
  await expect.poll(() => load.votes.size - before, { timeout: 30_000 }).toBeGreaterThan(20);
}

/** Resolves when the node has replaced another worker. */
function nextReplacement(): Promise<void> {
  const count = () => node.output().split("worker_replaced").length;
  return expect.poll(count, { interval: 20 }).toBeGreaterThan(count());
}

describe.skipIf(process.platform !== "linux")("a node with two workers", () => {
  test(`loses only requests in flight if ${KILLS} workers are killed, and replaces each within two starts`, async () => {
    const workers = childrenOf(node.pid);
    expect(workers).toHaveLength(2);
    // Each worker has the memory limits of the start.
    for (const pid of workers) expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("--max-old-space-size=");
    const load = await underLoad(node);
    const kills: { at: number; back: number }[] = [];
    // Alternates between the two workers, starting with the worker of the jobs.
    for (let round = 0; round < KILLS; round++) {
      await someWrites(load);
      const replaced = nextReplacement();
      const at = Date.now();
      process.kill(workers[round % 2]!, "SIGKILL");
      await replaced;
      kills.push({ at, back: Date.now() });
      workers[round % 2] = childrenOf(node.pid).find((pid) => !workers.includes(pid))!;
    }
    await someWrites(load);
    await load.end();
    const failures = all(load).filter(failed);
    for (const { at, back } of kills) expect(back - at).toBeLessThan(backMs);
    const inFlight = ({ from, until }: Answer) =>
      kills.some(({ at }) => from < at + NOTICED_MS && until >= at && until < at + backMs);
    expect(shown(failures.filter((one) => one.status !== 0 || !inFlight(one)))).toEqual([]);
    expect(await lost(node.databaseUrl, load)).toBe(0);
    const [job] = await sql("insert into pgboss.job (name, data) values ('payment-work', '{}') returning id");
    await expect
      .poll(() => sql("select state from pgboss.job where id = $1", [job.id]))
      .toEqual([{ state: "completed" }]);
  });

  test("ends with the error of its workers after 3 of them could not start", async () => {
    // A reserved IP address.
    const starting = startServer({ ...node.settings, HOST: "203.0.113.1" });
    const message = await starting.then(String, (error: Error) => error.message);
    expect(message).toContain("ended with 1 before it was ready");
    expect(message.split('"event":"worker_died"')).toHaveLength(1 + 3);
    expect(message).toMatch(/^Error: .*EADDRNOTAVAIL/m);
  });

  test("replaces dead workers until the database is back", async () => {
    const server = await startServer(node.settings);
    onTestFinished(() => server.stop());
    const count = (event: string) => server.output().split(`"event":"${event}"`).length - 1;
    await whileConnectionsAreRefused(node, "%", async (end) => {
      await end();
      for (const pid of childrenOf(server.pid)) process.kill(pid, "SIGKILL");
      await expect.poll(() => count("worker_died"), { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
    });
    await expect.poll(() => count("worker_replaced"), { timeout: 60_000 }).toBe(2);
    expect((await fetch(server.url)).status).toBe(200);
  });

  test("leaves no worker behind if it is killed", async () => {
    const server = await startServer(node.settings);
    const workers = childrenOf(server.pid);
    await server.kill();
    await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  });
});
