import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ConfigError } from "../config.ts";
import { isStopping } from "../lifetime.ts";
import { isTransient } from "./faults.ts";
import { openClient } from "./handles.ts";
import { choosePort, isProcessAlive, readIfExists, removeStaleLock, runningPostmaster } from "./postmaster.ts";
import { binaries, inaccessibleFolder, type Owner, type Programs, postgresUser } from "./programs.ts";

const run = promisify(execFile);

/** Called for an event of the database process; the reason may be several lines of its log. */
type ReportEvent = (event: "database_not_started" | "database_restarted", reason?: string) => void;

export type EmbeddedPostgres = {
  url: string;
  /** Restarts the server when it dies, until this process stops. */
  watch(report: ReportEvent): void;
  /** Stops the database unless another node uses it. */
  stop(): Promise<void>;
};

/** Waits for a server that may still be starting or recovering. */
async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = openClient({ connectionString: url, application_name: "divan-start" });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries >= 300 || !isTransient(error)) throw error;
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Child processes of a killed postmaster hold its shared memory, which prevents a restart for a short time. */
const hasOrphanedChildren = (error: unknown) => /pre-existing shared memory block/.test((error as Error).message);

/**
 * Log settings of the server: only the message of an error.
 *
 * The refused row, its key or the statement may contain a user's email, or an anonymous text with its author.
 */
const LOG_SETTINGS = { log_error_verbosity: "terse", log_min_error_statement: "panic" } as const;

type Cluster = { folder: string; port: number; start(port: number): Promise<void> };

/** Interval of checks, and pause after a start, which limits the restarts of a server that dies again, in milliseconds. */
const WATCH_MS = { every: 200, afterStart: 500 } as const;

/** Restarts a dead server on the same port until this process stops. */
async function keepRunning({ folder, port, start }: Cluster, report: ReportEvent): Promise<void> {
  let known = runningPostmaster(folder)?.pid;
  for (let wait: number = WATCH_MS.every; ; ) {
    await pause(wait);
    if (isStopping()) return;
    wait = WATCH_MS.every;
    if (known && isProcessAlive(known, folder)) continue;
    // Another node may have started it.
    known = runningPostmaster(folder)?.pid;
    if (known) continue;
    try {
      await start(port);
      report("database_restarted");
    } catch (error) {
      if (hasOrphanedChildren(error) || runningPostmaster(folder)) continue;
      report("database_not_started", (error as Error).message);
    }
    wait = WATCH_MS.afterStart;
  }
}

/** Data folder with the programs that run its server. */
type Installation = {
  folder: string;
  programs: Programs;
  /** User, folder and environment of the child processes. */
  options: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };
};

/** Creates the data folder, with its password in a file next to it. Leaves no files if it fails. */
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

/**
 * Starts the server of a folder.
 * @throws Error with the server's log if it did not start
 */
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
  // pg_ctl starts the server in a new session, so that Ctrl-C for our process does not stop the server too early.
  await run(
    programs.pg_ctl,
    ["start", "-D", folder, "-w", "-t", "60", "-l", log, "-o", flags.join(" ")],
    options,
  ).catch((error: unknown) => {
    const words = readIfExists(log).trimEnd().split("\n").slice(linesBefore).slice(-8);
    throw new Error(`The embedded PostgreSQL did not start.\n${words.join("\n")}`, { cause: error });
  });
}

/** Returns the port of a folder's server: the running one, or a new one. */
async function findOrStart(folder: string, start: (port: number) => Promise<void>): Promise<number> {
  for (let tries = 0; ; tries++) {
    const running = runningPostmaster(folder);
    if (running) return running.port;
    try {
      await start(await choosePort(folder));
    } catch (error) {
      // If another node was faster, use its server.
      if (runningPostmaster(folder)) continue;
      // The children of a killed server end by themselves, at the latest after the statement timeout.
      if (tries >= 100 || !hasOrphanedChildren(error)) throw error;
      await pause(100);
    }
  }
}

/** True if another node uses the database. PostgreSQL lists closed connections a little longer. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const client = openClient({ connectionString: url });
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
    // The server is shutting down.
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Starts the PostgreSQL with its data in `dataDir`/postgres, or finds it running. Creates it on first use.
 * @param settings more server settings, such as `{ fsync: "off" }` for tests
 * @throws ConfigError if the folder cannot be used
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
      `DATA_DIR ${dataDir} cannot be used: as root, the database runs as the user "postgres", which may not enter ${closed}. Choose another DATA_DIR, or: chmod o+x ${closed}`,
    );
  const installation: Installation = {
    folder,
    programs: await binaries(user, dataDir),
    // The shell's locale must not restrict the text that the database can store.
    options: { ...user, cwd: "/", env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" } },
  };
  if (!existsSync(join(folder, "PG_VERSION"))) await initialise(installation, passwordFile, user);
  const password = readFileSync(passwordFile, "utf8").trim();
  const start = (port: number) => startServer(installation, port, settings);
  const port = await findOrStart(folder, start);
  // The database that initdb creates.
  const url = `postgres://divan:${password}@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url);

  let watched: Promise<void> | undefined;
  return {
    url,
    watch(report) {
      watched = keepRunning({ folder, port, start }, report);
    },
    async stop() {
      await watched;
      if (await isUsedByOthers(url)) return;
      const { programs, options } = installation;
      await run(programs.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"], options).catch(() => {});
    },
  };
}
