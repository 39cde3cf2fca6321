import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type pg from "pg";
import { ConfigError } from "../config.ts";
import { isTransient } from "./faults.ts";
import { openClient } from "./handles.ts";
import {
  choosePort,
  isProcessAlive,
  type Postmaster,
  readIfExists,
  removeStaleLock,
  runningPostmaster,
} from "./postmaster.ts";
import { binaries, inaccessibleFolder, type Owner, type Programs, postgresUser } from "./programs.ts";

const run = promisify(execFile);

/** Called when something happens to the database process; the reason may be several lines of its log. */
type ReportEvent = (
  event: "database_died" | "database_not_started" | "database_restarted" | "database_not_watched",
  reason?: string,
) => void;

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  url: string;
  /** Restarts it whenever it dies. @returns a function that stops watching */
  watch(report: ReportEvent): () => void;
  /** Stops watching, and stops the database unless another node still uses it. */
  stop(): Promise<void>;
};

/** Connects to a server that may still be starting or recovering. */
async function connectWithRetry(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    const client = openClient({ connectionString: url, application_name: "divan-start" });
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.end().catch(() => {});
      if (tries >= 300 || !isTransient(error)) throw error;
      await pause(100);
    }
  }
}

/** A killed postmaster's children and their shared memory prevent a restart for a moment. */
const hasOrphanedChildren = (error: unknown) => /pre-existing shared memory block/.test((error as Error).message);

/**
 * What the server logs of an error: its message only. The refused row or key may be a user's address, or an anonymous text
 * beside its author, and so may the statement.
 */
const LOG_SETTINGS = { log_error_verbosity: "terse", log_min_error_statement: "panic" } as const;

type Cluster = { folder: string; port: number; start(port: number): Promise<void> };

/**
 * How soon a death is noticed, and how long is waited before a start that follows a failed one, or a life shorter than
 * `stable`: ever longer.
 */
const WATCH_MS = { every: 200, firstPause: 100, longestPause: 5_000, stable: 2_000 } as const;

/** Restarts a server whenever it has died, on the same port, until the signal aborts. @throws AbortError then */
async function keepRunning({ folder, port, start }: Cluster, report: ReportEvent, signal: AbortSignal): Promise<void> {
  const sleep = (milliseconds: number) => pause(milliseconds, undefined, { ref: false, signal });
  let known = runningPostmaster(folder)?.pid;
  let wait: number = WATCH_MS.firstPause;
  let startedAt = 0;
  for (;;) {
    await sleep(WATCH_MS.every);
    if (known && isProcessAlive(known, folder)) continue;
    // Another node may have started it already.
    known = runningPostmaster(folder)?.pid;
    if (known) continue;
    report("database_died");
    if (Date.now() - startedAt > WATCH_MS.stable) wait = WATCH_MS.firstPause;
    else {
      await sleep(wait);
      wait = Math.min(wait * 2, WATCH_MS.longestPause);
    }
    while (!known) {
      try {
        await start(port);
      } catch (error) {
        if (hasOrphanedChildren(error)) await sleep(WATCH_MS.firstPause);
        else if (!runningPostmaster(folder)) {
          report("database_not_started", (error as Error).message);
          await sleep(wait);
          wait = Math.min(wait * 2, WATCH_MS.longestPause);
        }
      }
      signal.throwIfAborted();
      known = runningPostmaster(folder)?.pid;
      if (!known) await sleep(WATCH_MS.firstPause);
    }
    startedAt = Date.now();
    report("database_restarted");
  }
}

/** A folder of data with what runs its server. */
type Installation = {
  folder: string;
  programs: Programs;
  /** Of the child processes: their user, folder and environment. */
  options: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };
};

/** Creates the data folder, with a password in a file beside it. Leaves nothing behind when it fails. */
async function initialise(
  { folder, programs, options }: Installation,
  passwordFile: string,
  user: Owner,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const access = ["-U", "divan", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  try {
    await run(programs.initdb, ["-D", folder, ...access, "--encoding=UTF8", "--locale=C.UTF-8"], options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Starts the server of a folder. @throws Error with what the server said, when it did not start */
async function startServer(
  { folder, programs, options }: Installation,
  port: number,
  settings: Record<string, string>,
): Promise<void> {
  removeStaleLock(folder);
  const log = join(folder, "server.log");
  const linesBefore = readIfExists(log).split("\n").length - 1;
  const chosen = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    timezone: "UTC",
    ...LOG_SETTINGS,
    ...settings,
  };
  const flags = Object.entries(chosen).map(([name, value]) => `-c ${name}=${value === "" ? "''" : value}`);
  // pg_ctl starts the server in its own session: a Ctrl-C meant for us does not end it too early.
  await run(
    programs.pg_ctl,
    ["start", "-D", folder, "-w", "-t", "60", "-l", log, "-o", flags.join(" ")],
    options,
  ).catch((error: unknown) => {
    const words = readIfExists(log).trimEnd().split("\n").slice(linesBefore).slice(-8);
    throw new Error(`The embedded PostgreSQL did not start.\n${words.join("\n")}`, { cause: error });
  });
}

/** The server of a folder: the one that runs there already, or one started now. */
async function findOrStart(folder: string, start: (port: number) => Promise<void>): Promise<Pick<Postmaster, "port">> {
  let running: Pick<Postmaster, "port"> | null = runningPostmaster(folder);
  for (let tries = 0; !running; tries++) {
    const port = await choosePort(folder);
    try {
      await start(port);
      running = { port };
    } catch (error) {
      // Another node was faster: its server is used.
      running = runningPostmaster(folder);
      // The children of a killed server end on their own, the slowest at its statement timeout.
      if (!running && (tries >= 100 || !hasOrphanedChildren(error))) throw error;
      if (!running) await pause(100);
    }
  }
  return running;
}

/** Creates our database unless it is there. @param admin address of the server's own database */
async function createDatabase(admin: string): Promise<void> {
  const client = await connectWithRetry(admin);
  const { rowCount } = await client.query("select from pg_database where datname = 'divan'");
  if (!rowCount)
    await client.query("create database divan").catch((error: { code?: string }) => {
      // Another node was faster.
      if (error.code !== "42P04") throw error;
    });
  await client.end();
}

/** Whether another node still uses the database. Connections that were just closed are listed for a moment longer. */
async function isUsedByOthers(admin: string): Promise<boolean> {
  const client = openClient({ connectionString: admin });
  try {
    await client.connect();
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query(
        "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'divan%'",
      );
      if (rows[0].n === 0) return false;
      if (tries === 30) return true;
      await pause(100);
    }
  } catch {
    // Already going down.
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Starts (or finds running) the PostgreSQL whose data is in `dataDir`/postgres, created on first use.
 * @param settings more server settings, such as `{ fsync: "off" }` for tests
 * @throws ConfigError when the folder cannot be used
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, "postgres");
  const passwordFile = join(dataDir, "postgres.password");
  const user = postgresUser();
  mkdirSync(dataDir, { recursive: true });
  const closed = user && inaccessibleFolder(dataDir, user);
  if (closed)
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: as root the database runs as the user "postgres", who may not enter ${closed}. Choose another DATA_DIR, or: chmod o+x ${closed}`,
    );
  const installation: Installation = {
    folder,
    programs: await binaries(user),
    // The locale of the shell must not decide what the database can store.
    options: { ...user, cwd: "/", env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" } },
  };
  if (!existsSync(join(folder, "PG_VERSION"))) await initialise(installation, passwordFile, user);
  const password = readFileSync(passwordFile, "utf8").trim();
  const start = (port: number) => startServer(installation, port, settings);
  const { port } = await findOrStart(folder, start);
  const admin = `postgres://divan:${password}@127.0.0.1:${port}/postgres`;
  await createDatabase(admin);

  const watching = new AbortController();
  let watched: Promise<void> | undefined;
  return {
    url: `postgres://divan:${password}@127.0.0.1:${port}/divan`,
    watch(report) {
      // Only the signal ends it, by an AbortError.
      watched ??= keepRunning({ folder, port, start }, report, watching.signal).catch((error: Error) => {
        if (!watching.signal.aborted) report("database_not_watched", error.message);
      });
      return () => watching.abort();
    },
    async stop() {
      watching.abort();
      await watched;
      if (await isUsedByOthers(admin)) return;
      const { programs, options } = installation;
      await run(programs.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"], options).catch(() => {});
    },
  };
}
