/**
 * The database is restarted and killed under load: the real server, as `npm start` runs it, with its own PostgreSQL and the
 * settings of production, which the tests' shared cluster does not have (it runs without fsync).
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { dataFolder, type Server, startServer } from "../e2e/server.ts";
import { FULL_RUN, LENIENCY } from "./full-run.ts";
import { addPerson, type Person } from "./people.ts";
import { isAlive } from "./processes.ts";

const ROUNDS = FULL_RUN ? 10 : 1;
const EACH = 8;
/** Enough people for no one to run out of votes or into a limit. */
const PEOPLE = EACH * (FULL_RUN ? 60 : 25);
const BACK_TO_NORMAL_MS = 2_000 * LENIENCY;
/** Without a refusal for so long it is normal again. */
const CALM_MS = 600;

const pause = (milliseconds: number) => new Promise<void>((go) => setTimeout(go, milliseconds));

/** The faults, and what each does to the postmaster. */
const FAULTS = {
  "a fast restart": (pid: number) => process.kill(pid, "SIGINT"),
  "an immediate restart": (pid: number) => process.kill(pid, "SIGQUIT"),
  "kill -9 of the postmaster alone": (pid: number) => process.kill(pid, "SIGKILL"),
  "kill -9 of all its processes": (pid: number, folder: string) => {
    for (const one of [pid, ...processesIn(folder)])
      try {
        process.kill(one, "SIGKILL");
      } catch {
        // It is gone already.
      }
  },
};
type Fault = keyof typeof FAULTS;

/** Processes that work in a folder, as all those of a PostgreSQL do. */
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

/** The server's own PostgreSQL, seen from outside. */
function clusterIn(dataDir: string): Cluster {
  const folder = join(dataDir, "postgres");
  const lines = () => readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
  const password = readFileSync(join(dataDir, "postgres.password"), "utf8").trim();
  return {
    folder,
    url: `postgres://divan:${password}@127.0.0.1:${lines()[3]}/divan`,
    pid: () => Number(lines()[0]),
  };
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Resolves with the moment at which another postmaster than before answers. */
async function returned(server: Server, url: string, startedBefore: string): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(10)) {
    if (!isAlive(server.pid)) throw new Error(`The server ended.\n${server.output()}`);
    const started = await connected(url, startOf).catch(() => null);
    if (started && started !== startedBefore) return Date.now();
  }
  throw new Error("The database did not return within a minute.");
}
const startOf = async (client: pg.Client) =>
  (await client.query("select pg_postmaster_start_time()::text as at")).rows[0].at as string;

type Answer = { what: string; status: number; from: number; until: number; text: string };

/** Asks as one address among many; what gets no answer has the status 0. */
async function ask(
  server: Server,
  what: string,
  method: string,
  path: string,
  { as, body, address }: { as?: Person; body?: unknown; address: string },
): Promise<Answer> {
  const from = Date.now();
  try {
    const response = await fetch(server.url + path, {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": address,
        ...(as ? { cookie: as.cookie } : {}),
        ...(body ? { "content-type": "application/json", origin: server.url } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { what, status: response.status, from, until: Date.now(), text };
  } catch (error) {
    const { message, cause } = error as Error;
    return { what, status: 0, from, until: Date.now(), text: `${message} ${cause}` };
  }
}

type Load = {
  /** Everything that was asked so far, except for help. */
  answers: Answer[];
  /** What /ayuda answered, asked over and over. */
  help: Answer[];
  /** Writes that the server has acknowledged: who voted on what, and which consultations were published. */
  votes: Set<string>;
  consultations: Set<string>;
  end(): Promise<void>;
};

const writes = ({ votes, consultations }: Pick<Load, "votes" | "consultations">) => votes.size + consultations.size;

const addressOf = (number: number) => `198.18.${number >> 8}.${number & 255}`;

/** Eight readers, eight writers, and one that asks for help all the time. */
function putLoad(server: Server, people: Person[], consultations: string[]): Load {
  let running = true;
  const made: Omit<Load, "end"> = { answers: [], help: [], votes: new Set(), consultations: new Set() };

  async function reader(number: number): Promise<void> {
    const paths = ["/", "/api/consultations", `/consulta/${consultations[number]}`, "/api/session", "/auth"];
    for (let turn = number; running; turn++) {
      const as = turn % 2 ? people[(number * 7 + turn) % people.length] : undefined;
      const path = paths[turn % paths.length]!;
      made.answers.push(await ask(server, `GET ${path}`, "GET", path, { as, address: addressOf(number) }));
      // Connections are refused in no time: without a pause a reader would ask thousands of times a second.
      await pause(50);
    }
  }

  async function writer(number: number): Promise<void> {
    for (let turn = 0; running; turn++) {
      // Each writer's people take turns, so that each votes once on each consultation.
      const mine = people.length / EACH;
      const as = people[number * mine + (turn % mine)]!;
      const round = Math.floor(turn / mine);
      const address = addressOf(1_000 + number * mine + (turn % mine));
      if (round === 0) {
        const body = {
          title: "Una consulta mientras cae la base",
          content: "Lo que se confirma a quien escribe no se pierde nunca.",
          country: "Uruguay",
          is_anonymous: true,
        };
        const answer = await ask(server, "POST consultation", "POST", "/api/consultations", { as, body, address });
        made.answers.push(answer);
        if (answer.status === 201) made.consultations.add((JSON.parse(answer.text) as { id: string }).id);
      } else {
        const target = consultations[round % consultations.length]!;
        const body = { vote: "up" };
        const path = `/api/consultations/${target}/vote`;
        const answer = await ask(server, "PUT vote", "PUT", path, { as, body, address });
        made.answers.push(answer);
        if (answer.status === 200) made.votes.add(`${as.id} ${target}`);
      }
      if (made.answers.at(-1)!.status !== 200) await pause(20);
    }
  }

  async function inNeed(): Promise<void> {
    for (let turn = 0; running; turn++) {
      const as = turn % 2 ? people[turn % people.length] : undefined;
      const path = turn % 3 === 2 ? "/ayuda.data" : "/ayuda";
      made.help.push(await ask(server, `GET ${path}`, "GET", path, { as, address: addressOf(900) }));
      await pause(30);
    }
  }

  const workers = Array.from({ length: EACH }, (_, number) => [reader(number), writer(number)]);
  const all = [...workers.flat(), inNeed()];
  return {
    ...made,
    async end() {
      running = false;
      await Promise.all(all);
    },
  };
}

/** How many acknowledged writes the database does not have. */
async function lost(url: string, { votes, consultations }: Load): Promise<number> {
  return connected(url, async (client) => {
    const kept = await client.query("select user_id || ' ' || consultation_id as vote from consultation_votes");
    const published = await client.query("select id from consultations");
    const there = new Set([...kept.rows.map((row) => row.vote), ...published.rows.map((row) => row.id)]);
    return [...votes, ...consultations].filter((one) => !there.has(one)).length;
  });
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
    // Nothing of it is left behind.
    expect(processesIn(cluster.folder)).toEqual([]);
  } finally {
    for (const pid of processesIn(cluster.folder)) process.kill(pid, "SIGKILL");
    folder.remove();
  }
});

/** The load of the test that runs, which ends with it even if the test fails. */
let under: Load | undefined;
afterEach(() => under?.end());

/** People no one has written for yet. */
const newPeople = () =>
  connected(cluster.url, async (client) => {
    const people: Person[] = [];
    await client.query("begin");
    for (let number = 0; number < PEOPLE; number++)
      people.push(await addPerson((text, values) => client.query(text, values)));
    await client.query("commit");
    return people;
  });

/** What people are told while the database is away: 503 in Spanish, on a page with the way to help. */
const isKindRefusal = ({ status, text }: Answer) =>
  status === 503 && (/^\{"code":"\w+"/.test(text) || (/<html lang="es"/.test(text) && /href="\/ayuda"/.test(text)));
/** Short enough to be read in a report. */
const shown = (answers: Answer[]) =>
  answers.slice(0, 5).map(({ what, status, text }) => `${what}: ${status} ${text.slice(0, 200)}`);

describe.skipIf(process.platform !== "linux")("while eight read and eight write", () => {
  test("restarts and deaths of PostgreSQL lose no acknowledged write and never end the server", {
    timeout: 600_000 + ROUNDS * 60_000,
  }, async () => {
    const people = await newPeople();
    const settings = await connected(cluster.url, async (client) => ({
      fsync: (await client.query("show fsync")).rows[0].fsync,
      synchronous_commit: (await client.query("show synchronous_commit")).rows[0].synchronous_commit,
      full_page_writes: (await client.query("show full_page_writes")).rows[0].full_page_writes,
    }));
    expect(settings).toEqual({ fsync: "on", synchronous_commit: "on", full_page_writes: "on" });

    const load = putLoad(server, people, consultations);
    under = load;
    const report: string[] = [];
    const late: Answer[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const fault of Object.keys(FAULTS) as Fault[]) {
        // Enough is written before each fault for a loss to show, however busy the machine is.
        const written = writes(load);
        await pause(FULL_RUN ? 1_500 : 700);
        await expect.poll(() => writes(load) - written).toBeGreaterThan(10);
        const before = await connected(cluster.url, startOf);
        const broken = Date.now();
        FAULTS[fault](cluster.pid(), cluster.folder);
        const back = await returned(server, cluster.url, before);
        // A moment after the database's return nothing is refused any more, and jobs are heard of at once.
        const refusals = () => load.answers.filter(({ from, status }) => from > broken && status >= 500);
        const lastRefusal = () => Math.max(back, ...refusals().map(({ from }) => from));
        while (Date.now() < Math.min(lastRefusal() + CALM_MS, back + BACK_TO_NORMAL_MS + CALM_MS)) await pause(50);
        const refused = refusals();
        const normal = lastRefusal() - back;
        late.push(...refused.filter(({ from }) => from > back + BACK_TO_NORMAL_MS));
        const listening = () =>
          connected(cluster.url, async (client) => {
            const heard = await client.query(
              "select from pg_stat_activity where application_name = 'divan-jobs-listen'",
            );
            return heard.rowCount;
          });
        await expect.poll(listening, { timeout: BACK_TO_NORMAL_MS, message: "connections that hear of jobs" }).toBe(1);
        report.push(`${fault}: away ${back - broken} ms, ${refused.length} refused, normal after ${normal} ms`);
      }
    await load.end();
    const { answers, help } = load;
    const slowest = Math.max(...help.map(({ from, until }) => until - from));
    report.push(
      `${answers.length} requests, ${writes(load)} acknowledged writes, help ${help.length} times, slowest ${slowest} ms`,
    );
    console.log(report.join("\n"));

    // The process lives.
    expect(isAlive(server.pid)).toBe(true);
    // Nothing but success and 503 in our words.
    const strange = answers.filter(
      (answer) => !(answer.status >= 200 && answer.status < 400) && !isKindRefusal(answer),
    );
    expect(shown(strange)).toEqual([]);
    // Help was always there, also for people who are signed in.
    expect(shown(help.filter(({ status }) => status !== 200))).toEqual([]);
    expect(help.length).toBeGreaterThan(ROUNDS * 3);
    expect(slowest).toBeLessThan(5_000 * LENIENCY);
    expect(shown(late)).toEqual([]);
    expect(await lost(cluster.url, load)).toBe(0);
  });

  test("a database that acknowledges before it has written is caught losing writes", async () => {
    const people = await newPeople();
    // Commits are answered at once and written out up to ten seconds later.
    const settings = { synchronous_commit: "off", wal_writer_delay: "10s", wal_writer_flush_after: "1GB" };
    await connected(cluster.url, async (client) => {
      for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
      await client.query("select pg_reload_conf()");
    });
    await pause(300);
    const load = putLoad(server, people, consultations);
    under = load;
    await expect.poll(() => writes(load)).toBeGreaterThan(60);
    const before = await connected(cluster.url, startOf);
    FAULTS["kill -9 of all its processes"](cluster.pid(), cluster.folder);
    await returned(server, cluster.url, before);
    await load.end();
    expect(await lost(cluster.url, load)).toBeGreaterThan(30);
    await connected(cluster.url, async (client) => {
      for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`);
      await client.query("select pg_reload_conf()");
    });
  });

  test("help is there for people who are signed in while the database hangs", async () => {
    const [as] = await newPeople();
    const stopped = [cluster.pid(), ...processesIn(cluster.folder)];
    for (const pid of stopped) process.kill(pid, "SIGSTOP");
    try {
      for (const path of ["/ayuda", "/ayuda.data"]) {
        const answer = await ask(server, path, "GET", path, { as, address: addressOf(901) });
        expect(answer.status).toBe(200);
        expect(answer.until - answer.from).toBeLessThan(5_000 * LENIENCY);
      }
    } finally {
      for (const pid of stopped) process.kill(pid, "SIGCONT");
    }
    await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test("two nodes start one database again, and one that leaves does not take it away", async () => {
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
      await returned(server, cluster.url, before);
      await healthy();
      // The lock file is that of the server that answers: no one removed it under it.
      await connected(cluster.url, async (client) => {
        const { rows } = await client.query("select pg_backend_pid() as pid");
        expect(parentOf(rows[0].pid)).toBe(cluster.pid());
      });
    }
    await second.stop();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});
