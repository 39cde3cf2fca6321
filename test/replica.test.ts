/** Public reads from a streaming replica that lags, stops or does not respond (docs/decisions/0008). */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, runningPostmaster } from "#server/database/embedded.ts";
import { dataFolder, type Server, startServer } from "../e2e/server.ts";
import { startReplicated } from "./database-cluster.ts";
import { type Forwarder, startForwarder } from "./forwarder.ts";
import { addPeople, connected, pause } from "./load.ts";
import type { TestUser } from "./people.ts";
import { consultationBody } from "./threads.ts";

/** Test data need not survive a power failure. */
const QUICK = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const folders = [dataFolder(), dataFolder(), dataFolder()] as const;
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let forwarder: Forwarder;
let server: Server;
let people: TestUser[];
const startDatabases = () => startReplicated(folders[0].path, folders[1].path, QUICK);

beforeAll(async () => {
  ({ primary, replica } = await startDatabases());
  forwarder = await startForwarder(replica.url);
  server = await startServer({
    DATA_DIR: folders[2].path,
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: forwarder.url,
    DEMO: "on",
    LOG_LEVEL: "info",
  });
  people = await addPeople(primary.url, 10);
});
afterAll(async () => {
  await server.stop();
  await forwarder.close();
  await replica.stop();
  await primary.stop();
  for (const folder of folders) folder.remove();
});

/** Waits for the next line of the server's log about the replica. */
function nextEvent(event: "replica_used" | "replica_not_used", timeout = 20_000): Promise<void> {
  const count = () => server.output().split(`"event":"${event}"`).length;
  const before = count();
  return expect.poll(count, { timeout }).toBeGreaterThan(before);
}
const replicaIsUsed = () => {
  const events = [...server.output().matchAll(/"event":"(replica_\w+)"/g)];
  return events.at(-1)?.[1] === "replica_used";
};
const untilUsed = () => expect.poll(replicaIsUsed, { timeout: 30_000 }).toBe(true);
const setReplay = (action: "pause" | "resume") =>
  connected(replica.url, (client) => client.query(`select pg_wal_replay_${action}()`));
/** Returns the titles of the feed. The page cache does not store a visitor's feed of the API. */
async function feed(cookie = ""): Promise<string[]> {
  const response = await fetch(`${server.url}/api/consultations`, { headers: { cookie } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
}

const isOnHome = async (title: string, cookie: string) =>
  (await (await fetch(`${server.url}/`, { headers: { cookie } })).text()).includes(title);

async function ask(person: TestUser, title: string): Promise<{ id: string; wrote: string }> {
  const response = await fetch(`${server.url}/api/consultations`, {
    method: "POST",
    headers: { cookie: person.cookie, origin: server.url, "content-type": "application/json" },
    body: JSON.stringify(consultationBody({ title })),
  });
  expect(response.status).toBe(201);
  const cookies = response.headers.getSetCookie();
  expect(cookies).toEqual(["wrote=1; Max-Age=10; Path=/; SameSite=Lax; HttpOnly"]);
  return { id: ((await response.json()) as { id: string }).id, wrote: "wrote=1" };
}

test("shows a write to its author and in cached pages immediately, and to others within 10 s despite a lagging replica", async () => {
  await untilUsed();
  await setReplay("pause");
  const title = "Una consulta que la réplica no tiene";
  const { id, wrote } = await ask(people[0]!, title);
  const at = Date.now();
  expect(await feed(`${people[0]!.cookie}; ${wrote}`)).toContain(title);
  // Other viewers read from the replica.
  expect(await feed()).not.toContain(title);
  expect(await feed(people[1]!.cookie)).not.toContain(title);
  // For 1 s a page uses another user's read. The author's page uses no read of the replica.
  expect(await isOnHome(title, people[1]!.cookie)).toBe(false);
  expect(await isOnHome(title, `${people[0]!.cookie}; ${wrote}`)).toBe(true);
  const page = await fetch(`${server.url}/consulta/${id}`, { headers: { cookie: wrote } });
  expect(await page.text()).toContain(title);
  expect(await (await fetch(`${server.url}/`)).text()).toContain(title);
  await expect.poll(() => feed(), { timeout: 10_000 }).toContain(title);
  const seconds = (Date.now() - at) / 1_000;
  expect(seconds).toBeGreaterThan(5);
  expect(seconds).toBeLessThan(10);
  const used = nextEvent("replica_used");
  await setReplay("resume");
  await used;
});

test("sets no cookie on responses to reads", async () => {
  for (const path of ["/", "/api/consultations", "/planes"])
    expect((await fetch(server.url + path)).headers.getSetCookie()).toEqual([]);
});

/** Reads the feed continuously on 8 connections. @returns a function that stops them and returns the number of reads */
function readers(): () => Promise<number> {
  let running = true;
  let count = 0;
  const read = async () => {
    for (; running; count++) await feed();
  };
  const all = Promise.all(Array.from({ length: 8 }, read));
  all.catch(() => {});
  return async () => {
    running = false;
    await all;
    return count;
  };
}

test("responds 200 to all readers while the replica is killed and restarted", async () => {
  await untilUsed();
  const stop = readers();
  await pause(500);
  const lost = nextEvent("replica_not_used");
  process.kill(runningPostmaster(join(folders[1].path, "postgres"))!.pid, "SIGKILL");
  await lost;
  await ask(people[2]!, "Una consulta sin réplica");
  expect(await feed()).toContain("Una consulta sin réplica");
  const back = nextEvent("replica_used", 60_000);
  ({ replica } = await startDatabases());
  await back;
  expect(await stop()).toBeGreaterThan(10);
});

test("responds 200 to all readers while the replica is silent", async () => {
  await untilUsed();
  const stop = readers();
  await pause(500);
  const silent = nextEvent("replica_not_used");
  forwarder.fallSilent();
  await silent;
  const from = performance.now();
  // Another sender: three requests of the readers wait for the replica.
  await feed(people[0]!.cookie);
  expect(performance.now() - from).toBeLessThan(1_000);
  await stop();
  const back = nextEvent("replica_used", 60_000);
  forwarder.speak();
  await back;
});
