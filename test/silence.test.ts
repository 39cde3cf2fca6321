/** The real server with a database that stops responding or refuses connections. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { dataFolder, emptyDatabase, type Server, startServer } from "../e2e/server.ts";
import { type Forwarder, startForwarder } from "./forwarder.ts";
import { FULL_RUN, TIMEOUT_FACTOR } from "./full-run.ts";
import {
  type Answer,
  addPeople,
  ask,
  connected,
  isKindRefusal,
  type Load,
  lost,
  pause,
  putLoad,
  shown,
  writes,
} from "./load.ts";
import { isAlive } from "./processes.ts";

/** Lengths of the silences, in seconds. */
const SILENCES = [5, 20, 40, 60, 120];
const BACK_TO_NORMAL_MS = 5_000 * TIMEOUT_FACTOR;
/** Time without a refusal that counts as normal. */
const CALM_MS = 3_000;
const HEALTH_MS = 2_000 * TIMEOUT_FACTOR;
const ADDRESS = "198.18.200.1";

let database: { url: string; drop(): Promise<void> };
let forwarder: Forwarder;
let server: Server;
let consultations: string[];
/** A role whose password a test changes. */
const role = `divan_silence_${process.pid}`;
const folder = dataFolder();
const sql = (text: string, values?: unknown[]) =>
  connected(database.url, async (client) => (await client.query(text, values)).rows);

beforeAll(async () => {
  database = await emptyDatabase(inject("postgres").admin);
  await sql(`create role ${role} superuser login password 'first'`);
  forwarder = await startForwarder(database.url);
  const url = new URL(forwarder.url);
  url.username = role;
  url.password = "first";
  server = await startServer({ DATABASE_URL: url.href, DATA_DIR: folder.path, DEMO: "on" });
  const [author] = await addPeople(database.url, 1);
  consultations = (
    await sql(
      `insert into consultations (title, content, country, is_anonymous, user_id)
       select 'Consulta ' || n, 'Lo que se confirma no se pierde.', 'Chile', true, $1 from generate_series(1, 20) n returning id`,
      [author!.id],
    )
  ).map((row) => row.id as string);
});
afterAll(async () => {
  await server.stop();
  await forwarder.close();
  await database.drop();
  const admin = inject("postgres").admin;
  await connected(admin, (client) => client.query(`drop role if exists ${role}`));
  folder.remove();
});

const health = () => ask(server, "GET /healthz", "GET", "/healthz", { address: ADDRESS });
const connections = async () =>
  Number(
    (await sql("select count(*) from pg_stat_activity where datname = current_database() and usename = $1", [role]))[0]
      .count,
  );

/** The load of the running test. It ends with the test even if the test fails. */
let under: Load | undefined;
afterEach(() => under?.end());

describe("a database that falls silent under 8 readers and 4 writers", () => {
  test.runIf(FULL_RUN)(`returns to normal within 5 s after ${SILENCES.join(", ")} s of silence`, async () => {
    const people = await addPeople(database.url, 400);
    const load = putLoad(server, people, consultations, { readers: 8, writers: 4 });
    under = load;
    const healths: Answer[] = [];
    let watching = true;
    const watch = (async () => {
      for (; watching; await pause(100)) healths.push(await health());
    })();
    onTestFinished(async () => {
      watching = false;
      await watch;
    });
    // Uses each kind of connection before the first silence.
    await expect.poll(() => writes(load)).toBeGreaterThan(20);
    const before = await connections();
    const report: string[] = [];
    const rounds: { back: number; end: number }[] = [];
    const all = () => [...load.answers, ...healths];
    const failed = ({ status }: Answer) => status >= 500 || status === 0;
    for (const seconds of SILENCES) {
      await pause(2_000);
      const written = writes(load);
      const silent = Date.now();
      forwarder.fallSilent();
      await pause(seconds * 1_000);
      forwarder.speak();
      const back = Date.now();
      const refused = () => all().filter((one) => one.from > silent && failed(one));
      const lastRefusal = () => Math.max(back, ...refused().map(({ from }) => from));
      while (Date.now() < Math.min(lastRefusal(), back + BACK_TO_NORMAL_MS) + CALM_MS) await pause(50);
      rounds.push({ back, end: Date.now() });
      const success = (what: RegExp) => {
        const after = all().filter(
          (one) => what.test(one.what) && one.from > back && one.status < 400 && one.status > 0,
        );
        return Math.min(...after.map(({ until }) => until - back));
      };
      const first = { read: success(/^GET .api/), write: success(/^P/), health: success(/healthz/) };
      report.push(
        `${seconds} s: ${refused().length} refused, the last one sent ${lastRefusal() - back} ms after, first successes ${JSON.stringify(first)}, ${writes(load) - written} writes, ${await connections()} connections (${before} before)`,
      );
      for (const at of Object.values(first)) expect(at).toBeLessThan(BACK_TO_NORMAL_MS);
      // The number of connections that hear of jobs has not changed.
      const listening = "select from pg_stat_activity where application_name = 'divan-jobs-listen' and usename = $1";
      await expect
        .poll(() => sql(listening, [role]), { timeout: Math.max(1, back + BACK_TO_NORMAL_MS - Date.now()) })
        .toHaveLength(1);
    }
    await load.end();
    watching = false;
    await watch;
    const slowest = Math.max(...healths.map(({ from, until }) => until - from));
    report.push(`${load.answers.length} requests, ${writes(load)} acknowledged writes, slowest /healthz ${slowest} ms`);
    console.log(report.join("\n"));

    const late = rounds.flatMap(({ back, end }) =>
      all().filter(
        (one) =>
          one.from < end &&
          one.until > back + BACK_TO_NORMAL_MS &&
          (one.from < back || (one.from > back + BACK_TO_NORMAL_MS && failed(one))),
      ),
    );
    expect(shown(late)).toEqual([]);
    expect(slowest).toBeLessThan(HEALTH_MS);
    expect(await lost(database.url, load)).toBe(0);
    expect(isAlive(server.pid)).toBe(true);
    expect(
      shown(load.answers.filter((one) => !(one.status >= 200 && one.status < 400) && !isKindRefusal(one))),
    ).toEqual([]);
    // Unused connections close after 30 s.
    await expect.poll(connections, { timeout: 90_000 }).toBeLessThanOrEqual(before);
  });
});

describe("a database that refuses the server", () => {
  const cut = () =>
    connected(inject("postgres").admin, (client) =>
      client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]),
    );
  const admin = (text: string) => connected(inject("postgres").admin, (client) => client.query(text));
  const name = () => new URL(database.url).pathname.slice(1);

  const REFUSALS = [
    {
      what: "its password has changed (28P01)",
      reason: /password authentication failed/,
      refuse: () => admin(`alter role ${role} password 'second'`),
      allow: () => admin(`alter role ${role} password 'first'`),
    },
    {
      what: "it is missing (3D000)",
      reason: /does not exist/,
      async refuse() {
        await admin(`alter database ${name()} allow_connections false`);
        await cut();
        await expect
          .poll(() =>
            admin(`alter database ${name()} rename to ${name()}_gone`).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
      },
      async allow() {
        await admin(`alter database ${name()}_gone rename to ${name()}`);
        await admin(`alter database ${name()} allow_connections true`);
      },
    },
  ];
  test.each(FULL_RUN ? REFUSALS : REFUSALS.slice(0, 1))(
    "gets 503 in Spanish and at most two log lines a second if $what",
    async ({ reason, refuse, allow }) => {
      const [person] = await addPeople(database.url, 1);
      const printed = server.output().length;
      const answers: Answer[] = [];
      await refuse();
      try {
        await cut();
        const until = Date.now() + 3_000;
        const asking = async (method: string, path: string, body?: unknown) => {
          while (Date.now() < until)
            answers.push(await ask(server, `${method} ${path}`, method, path, { as: person, body, address: ADDRESS }));
        };
        await Promise.all([
          asking("GET", "/"),
          asking("GET", "/perfil"),
          asking("GET", "/api/consultations"),
          asking("GET", "/api/session"),
          asking("PUT", `/api/consultations/${consultations[0]}/vote`, { vote: "up" }),
        ]);
        expect((await health()).status).toBe(503);
      } finally {
        await allow();
      }
      expect(answers.length).toBeGreaterThan(FULL_RUN ? 20 : 5);
      expect(shown(answers.filter((one) => !isKindRefusal(one)))).toEqual([]);
      const lines = server
        .output()
        .slice(printed)
        .split("\n")
        .filter((line) => reason.test(line))
        .map((line) => (JSON.parse(line) as { time: number }).time);
      expect(lines.length).toBeGreaterThan(1);
      // Two lines about one cause are at least half a second apart, as far as clocks agree.
      expect(lines.filter((time, at) => at > 0 && time - lines[at - 1]! < 490)).toEqual([]);
      await expect.poll(async () => (await health()).status, { timeout: BACK_TO_NORMAL_MS }).toBe(200);
    },
  );
});
