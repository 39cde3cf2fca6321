/**
 * Restarts and kills the database under load. The server runs as in `npm start`, with its own PostgreSQL and production
 * settings. The tests' shared cluster cannot show a loss, because it runs without fsync.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { dataFolder, type Server, startServer } from "../e2e/server.ts";
import { type Answer, addPeople, connected, isKindRefusal, type Load, lost, pause, putLoad, shown } from "./load.ts";
import { isAlive } from "./processes.ts";

const ROUNDS = 3;
/** Number of users: enough that none reaches a limit or has voted on every consultation. */
const PEOPLE = 480;
const BACK_TO_NORMAL_MS = 2_000;
/** Time without a refusal that counts as normal, in milliseconds. */
const CALM_MS = 600;

const FAULTS = {
  "a fast restart": (pid: number) => process.kill(pid, "SIGINT"),
  "an immediate restart": (pid: number) => process.kill(pid, "SIGQUIT"),
  "kill -9 of the postmaster alone": (pid: number) => process.kill(pid, "SIGKILL"),
  "kill -9 of all its processes": (pid: number, folder: string) => {
    for (const one of [pid, ...processesIn(folder)])
      try {
        process.kill(one, "SIGKILL");
      } catch {
        // The process has already ended.
      }
  },
};
type Fault = keyof typeof FAULTS;

/** Returns the processes whose working directory is `folder`, which includes all processes of that PostgreSQL. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}

const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

type Cluster = { folder: string; url: string; pid(): number };

function clusterIn(dataDir: string): Cluster {
  const folder = join(dataDir, "postgres");
  const lines = () => readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
  const password = readFileSync(join(dataDir, "postgres.password"), "utf8").trim();
  return {
    folder,
    url: `postgres://divan:${password}@127.0.0.1:${lines()[3]}/postgres`,
    pid: () => Number(lines()[0]),
  };
}

const startOf = async (client: pg.Client) =>
  (await client.query("select pg_postmaster_start_time()::text as at")).rows[0].at as string;
/** Waits for a new postmaster. @returns the time at which it responds */
async function returned(url: string, startedBefore: string): Promise<number> {
  const start = () => connected(url, startOf).catch(() => startedBefore);
  await expect.poll(start, { timeout: 60_000, interval: 10 }).not.toBe(startedBefore);
  return Date.now();
}

let server: Server;
let cluster: Cluster;
let consultations: string[];
const folder = dataFolder();

beforeAll(async () => {
  server = await startServer({ DATA_DIR: folder.path });
  cluster = clusterIn(folder.path);
  consultations = await connected(cluster.url, async (client) =>
    (await client.query("select id from consultations order by created_at limit 50")).rows.map((row) => row.id),
  );
});
afterAll(async () => {
  try {
    if (isAlive(server.pid)) await server.stop();
    expect(processesIn(cluster.folder)).toEqual([]);
  } finally {
    for (const pid of processesIn(cluster.folder)) process.kill(pid, "SIGKILL");
    folder.remove();
  }
});

/** The load of the running test. It ends with the test even if the test fails. */
let under: Load | undefined;
afterEach(() => under?.end());

describe.skipIf(process.platform !== "linux")("PostgreSQL under 8 readers and 8 writers", () => {
  test("loses no acknowledged write and never ends the server if it restarts or dies", async () => {
    const people = await addPeople(cluster.url, PEOPLE);
    const safe =
      "select from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'on'";
    expect((await connected(cluster.url, (client) => client.query(safe))).rowCount).toBe(3);

    const load = putLoad(server, people, consultations, { readers: 8, writers: 8 });
    under = load;
    const late: Answer[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const fault of Object.keys(FAULTS) as Fault[]) {
        // Waits for enough writes before each fault that a loss would show, even on a busy machine.
        const written = load.votes.size;
        await pause(1_500);
        await expect.poll(() => load.votes.size - written).toBeGreaterThan(10);
        const before = await connected(cluster.url, startOf);
        const broken = Date.now();
        FAULTS[fault](cluster.pid(), cluster.folder);
        const back = await returned(cluster.url, before);
        // Soon after the return, requests succeed, and the server hears changes and fetches jobs again.
        const refusals = () => load.answers.filter(({ from, status }) => from > broken && status >= 500);
        const lastRefusal = () => Math.max(back, ...refusals().map(({ from }) => from));
        while (Date.now() < Math.min(lastRefusal() + CALM_MS, back + BACK_TO_NORMAL_MS + CALM_MS)) await pause(50);
        late.push(...refusals().filter(({ from }) => from > back + BACK_TO_NORMAL_MS));
        const names =
          "select distinct application_name from pg_stat_activity where application_name in ('divan-pages', 'divan-jobs')";
        const open = async () => (await connected(cluster.url, (client) => client.query(names))).rowCount;
        await expect.poll(open, { timeout: BACK_TO_NORMAL_MS, message: "connections for changes and jobs" }).toBe(2);
      }
    await load.end();
    const { answers, help } = load;
    const slowest = Math.max(...help.map(({ from, until }) => until - from));

    expect(isAlive(server.pid)).toBe(true);
    // Every response is a success or a 503 in Spanish.
    const strange = answers.filter(
      (answer) => !(answer.status >= 200 && answer.status < 400) && !isKindRefusal(answer),
    );
    expect(shown(strange)).toEqual([]);
    // /ayuda always responds, also to signed-in users.
    expect(shown(help.filter(({ status }) => status !== 200))).toEqual([]);
    expect(help.length).toBeGreaterThan(ROUNDS * 3);
    expect(slowest).toBeLessThan(5_000);
    expect(shown(late)).toEqual([]);
    expect(await lost(cluster.url, load)).toBe(0);
  });

  test("serves two nodes again after each kill, even after one node has left", async () => {
    const second = await startServer({ DATA_DIR: folder.path });
    const healthy = async () => {
      for (const node of [server, second])
        await expect.poll(async () => (await fetch(`${node.url}/healthz`)).status).toBe(200);
    };
    onTestFinished(() => second.kill());
    await healthy();
    for (let round = 0; round < 2; round++) {
      const before = await connected(cluster.url, startOf);
      FAULTS["kill -9 of all its processes"](cluster.pid(), cluster.folder);
      await returned(cluster.url, before);
      await healthy();
      // The lock file belongs to the responding server, so no other node removed it.
      await connected(cluster.url, async (client) => {
        const { rows } = await client.query("select pg_backend_pid() as pid");
        expect(parentOf(rows[0].pid)).toBe(cluster.pid());
      });
    }
    await second.stop();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});
