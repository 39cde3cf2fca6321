/** PostgreSQL from npm with its data in DATA_DIR. Several nodes on one machine may share it. */
import { execFile, execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ConfigError } from "../config.ts";
import { isStopping } from "../lifetime.ts";
import { isTransient } from "./faults.ts";
import { withClient } from "./handles.ts";
import { findPrograms, inaccessiblePart, postgresUser } from "./programs.ts";

const run = promisify(execFile);

/** Returns the text of a file, or "" if it cannot be read. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Returns the running PostgreSQL of this folder, or null. It survives a `kill -9` of our server. */
export function runningPostmaster(folder: string): { pid: number; port: number } | null {
  try {
    const [pid, , , port] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n").map(Number);
    // After a crash the process id may belong to another program. A zombie has no command line.
    const command =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
        : process.platform === "win32"
          ? process.kill(pid!, 0) && folder
          : execFileSync("ps", ["-o", "command=", "-p", String(pid)]).toString();
    return pid && port && command.includes(folder) ? { pid, port } : null;
  } catch {
    return null;
  }
}

/**
 * Longest time in which PostgreSQL writes a lock file, in milliseconds. A file that is empty for longer was cut off by
 * a crash.
 */
const LOCK_WRITTEN_MS = 10_000;

/**
 * Removes a lock file that PostgreSQL would not replace: an empty one, or one whose process id now belongs to another
 * program. PostgreSQL needs others: they name the shared memory that children of a killed server may still use.
 *
 * Removing the lock of a server that another node has just started would end that server.
 */
function removeStaleLock(folder: string): void {
  const file = join(folder, "postmaster.pid");
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return;
  const text = readIfExists(file);
  const pid = Number(text.split("\n")[0]);
  if (pid > 0) {
    if (runningPostmaster(folder)) return;
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  } else if (Date.now() - found.mtimeMs < LOCK_WRITTEN_MS) return;
  if (readIfExists(file) === text) rmSync(file, { force: true });
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });

/**
 * Ports below the ephemeral ones.
 *
 * While the database is down, a connection attempt of this server could otherwise get the port as its source port,
 * connect to itself and block the port.
 */
const PORTS = { first: 15_000, last: 29_999 } as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (await isFree(port)) return port;
  }
}

/** Returns the previous port of a folder's server, because other nodes reconnect to it; else a free one. */
export async function choosePort(folder: string): Promise<number> {
  const before = Number(/"port=(\d+)"/.exec(readIfExists(join(folder, "postmaster.opts")))?.[1]);
  return before >= PORTS.first && before <= PORTS.last && (await isFree(before)) ? before : freePort();
}

/** Waits for a server that may still be starting or recovering. */
async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await withClient({ connectionString: url, application_name: "divan-start" }, async () => {});
    } catch (error) {
      if (tries >= 300 || !isTransient(error)) throw error;
      await pause(100);
    }
}

/** True if child processes of a killed server still hold its shared memory, for a short time. */
const hasOrphanedChildren = (error: unknown) => /pre-existing shared memory block/.test((error as Error).message);

/** Starts the server of a folder. @throws Error with the server's log if it did not start */
type Start = (port: number) => Promise<void>;

/** Returns the port of a folder's server: the running one, or a new one. */
async function findOrStart(folder: string, start: Start): Promise<number> {
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

/** The reason may be several lines of the server's log. */
type ReportEvent = (event: "database_not_started" | "database_restarted", reason?: string) => void;

/** Interval of checks, which start a program except on Linux, in milliseconds. */
const CHECK_MS = process.platform === "linux" ? 200 : 2_000;

/** Restarts a dead server on the same port until this process stops. */
async function keepRunning(folder: string, port: number, start: Start, report: ReportEvent): Promise<void> {
  for (;;) {
    await pause(CHECK_MS);
    if (isStopping()) return;
    if (runningPostmaster(folder)) continue;
    try {
      await start(port);
      report("database_restarted");
    } catch (error) {
      if (hasOrphanedChildren(error) || runningPostmaster(folder)) continue;
      report("database_not_started", (error as Error).message);
    }
    // Limits the restarts of a server that dies again.
    await pause(300);
  }
}

/** True if another node uses the database. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
    and application_name like 'divan%'`;
  try {
    return await withClient({ connectionString: url }, async (client) => {
      // PostgreSQL lists closed connections a little longer.
      for (let tries = 0; tries < 30; tries++) {
        if (!(await client.query(others)).rowCount) return false;
        await pause(100);
      }
      return true;
    });
  } catch {
    // The server is shutting down.
    return false;
  }
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/**
 * Starts the PostgreSQL with its data in `dataDir`/postgres, or finds it running. Creates it on first use.
 * @param settings more server settings, such as `{ fsync: "off" }` for tests
 * @throws ConfigError if the folder cannot be used
 */
export async function startEmbeddedPostgres(dataDir: string, settings: Record<string, string> = {}) {
  const folder = join(dataDir, "postgres");
  const passwordFile = join(dataDir, "postgres.password");
  const user = postgresUser();
  mkdirSync(dataDir, { recursive: true });
  const closed = user && inaccessiblePart(dataDir, user);
  if (closed)
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: as root, the database runs as the user "postgres", which may not enter ${closed}. Choose another DATA_DIR, or: chmod o+x ${closed}`,
    );
  const programs = await findPrograms(user, dataDir);
  // The shell's locale must not restrict the text that the database can store.
  const options = { ...user, cwd: "/", env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" } };

  if (!existsSync(join(folder, "PG_VERSION"))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
    if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
    const access = ["-U", "divan", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
    try {
      await run(programs.initdb, ["-D", folder, ...access, "--encoding=UTF8", "--locale=C.UTF-8"], options);
    } catch (error) {
      // A killed initdb leaves files, so that the next start would take the folder for a database. Its own children may
      // still write some.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      throw error;
    }
  }

  const start: Start = async (port) => {
    removeStaleLock(folder);
    const log = join(folder, "server.log");
    const linesBefore = readIfExists(log).split("\n").length - 1;
    const chosen = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "''",
      max_connections: "100",
      timezone: "UTC",
      // Only the message of an error: the row, its key or the statement may contain an email, or an anonymous text
      // with its author.
      log_error_verbosity: "terse",
      log_min_error_statement: "panic",
      ...settings,
    };
    const flags = Object.entries(chosen).map(([name, value]) => `-c ${name}=${value}`);
    const parameters = ["start", "-D", folder, "-w", "-t", "60", "-l", log, "-o", flags.join(" ")];
    // pg_ctl starts the server in a new session, so that Ctrl-C for our process does not stop the server too early.
    await run(programs.pg_ctl, parameters, options).catch((error: unknown) => {
      const words = readIfExists(log).trimEnd().split("\n").slice(linesBefore).slice(-8);
      throw new Error(`The embedded PostgreSQL did not start.\n${words.join("\n")}`, { cause: error });
    });
  };
  const port = await findOrStart(folder, start);
  const password = readFileSync(passwordFile, "utf8").trim();
  // The database that initdb creates.
  const url = `postgres://divan:${password}@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url);

  let watched: Promise<void> | undefined;
  return {
    url,
    /** Restarts the server when it dies, until this process stops. */
    watch(report: ReportEvent): void {
      watched = keepRunning(folder, port, start, report);
    },
    /** Stops the database unless another node uses it. */
    async stop(): Promise<void> {
      await watched;
      if (await isUsedByOthers(url)) return;
      await run(programs.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"], options).catch(() => {});
    },
  };
}
