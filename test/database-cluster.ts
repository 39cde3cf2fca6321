/** Starts a streaming replica and a pooler for an embedded PostgreSQL, for tests. */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { choosePort, type EmbeddedPostgres, startEmbeddedPostgres } from "#server/database/embedded.ts";
import { SESSION_SETTINGS } from "#server/database/handles.ts";
import { postgresUser } from "#server/database/programs.ts";
import { waitUntilFound } from "./eventually.ts";
import { connected } from "./load.ts";

const SLOT = "divan_replica";

/** Copies a stopped primary, because the embedded PostgreSQL does not include pg_basebackup. */
async function copyPrimary(
  primaryFolder: string,
  replicaFolder: string,
  settings: Record<string, string>,
): Promise<void> {
  const primary = await startEmbeddedPostgres(primaryFolder, settings);
  // The slot makes the primary retain the WAL that the replica has not read yet.
  const create = `select pg_create_physical_replication_slot($1, true)
    where not exists (select from pg_replication_slots where slot_name = $1)`;
  await connected(primary.url, (client) => client.query(create, [SLOT]));
  await primary.stop();
  const from = join(primaryFolder, "postgres");
  const to = join(replicaFolder, "postgres");
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true });
  cpSync(`${from}.password`, `${to}.password`);
  for (const name of [`pg_replslot/${SLOT}`, "postmaster.opts", "server.log"])
    rmSync(join(to, name), { recursive: true, force: true });
  writeFileSync(join(to, "standby.signal"), "");
  const user = postgresUser();
  if (user) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, to, `${to}.password`]);
}

export async function startReplicated(
  primaryFolder: string,
  replicaFolder: string,
  settings: Record<string, string> = {},
): Promise<{ primary: EmbeddedPostgres; replica: EmbeddedPostgres }> {
  if (!existsSync(join(replicaFolder, "postgres"))) await copyPrimary(primaryFolder, replicaFolder, settings);
  const primary = await startEmbeddedPostgres(primaryFolder, settings);
  const following = { ...settings, primary_conninfo: primary.url, primary_slot_name: SLOT };
  return { primary, replica: await startEmbeddedPostgres(replicaFolder, following) };
}

export const HAS_PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;

const READER = "divan_reader";

/** Creates the database user of public reads. @returns its password */
export async function createReader(client: pg.ClientBase): Promise<string> {
  const password = randomBytes(16).toString("hex");
  for (const role of ["divan_public nologin", `${READER} login in role divan_public`]) {
    const [name] = role.split(" ");
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
    if (!rowCount) await client.query(`create role ${role}`);
  }
  await client.query(`alter role ${READER} password '${password}'`);
  return password;
}

export async function setPoolerSettings(client: pg.ClientBase, owner: string, database: string): Promise<void> {
  const settings = Object.entries(SESSION_SETTINGS).filter(([name]) => !name.startsWith("tcp_"));
  for (const role of [owner, READER])
    for (const [name, value] of settings)
      await client.query(`alter role "${role}" in database "${database}" set ${name} = '${value}'`);
  await client.query(`alter role ${READER} in database "${database}" set search_path = visible`);
}

export function poolerEnvironment(url: string, port: number, readerPassword: string) {
  const pooled = new URL(url);
  pooled.port = String(port);
  const reading = new URL(pooled);
  reading.username = READER;
  reading.password = readerPassword;
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: url, DATABASE_PUBLIC_URL: reading.href };
}

/**
 * Starts PgBouncer in transaction mode in front of all databases of a server.
 * @param url URL of one of these databases, with its owner
 * @param more additional lines of the configuration
 */
export async function startPooler(
  url: string,
  readerPassword: string,
  more: string[] = [],
): Promise<{ port: number; stop(): Promise<void> }> {
  const { hostname, port: serverPort, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "divan-pooler-"));
  const port = await choosePort(folder);
  const users = join(folder, "users.txt");
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n"${READER}" "${readerPassword}"\n`);
  const configuration = join(folder, "pgbouncer.ini");
  const settings = `listen_addr = 127.0.0.1|listen_port = ${port}|unix_socket_dir =|pool_mode = transaction|
auth_type = scram-sha-256|auth_file = ${users}|max_client_conn = 2000|server_idle_timeout = 2|server_login_retry = 1`;
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort}`,
    "[pgbouncer]",
    ...settings.split(/\|\n?/),
    ...more,
  ];
  writeFileSync(configuration, `${lines.join("\n")}\n`);
  const user = postgresUser();
  for (const path of [folder, users, configuration]) if (user) chownSync(path, user.uid, user.gid);
  // In a separate process group, PgBouncer does not end before us on Ctrl-C.
  const child = spawn("pgbouncer", ["-q", configuration], {
    ...user,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output = (output + chunk).slice(-5_000);
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  await waitUntilFound(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start.\n${output}`);
    const address = new URL(url);
    address.port = String(port);
    return connected(address.href, async () => true).catch(() => undefined);
  }, "a pooler");
  return {
    port,
    async stop() {
      child.kill("SIGINT");
      const tooLong = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(tooLong);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
