import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Environment } from "#server/config.ts";
import { freePort } from "#server/database/embedded.ts";
import { connected, pause } from "#test/load.ts";

const root = join(import.meta.dirname, "..");

/** Arguments of Node in `npm start`: the memory limits, then the server. */
export const startArguments = (folder = root): string[] =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    .scripts.start.split(" ")
    .slice(1)
    .map((argument: string) => (argument.startsWith("-") ? argument : join(folder, argument)));

/** Environment variables of the product. The tests' own shell must not pass them to the servers. */
const SETTINGS = [...Object.keys(Environment.shape), "NODE_ENV"];

export const ADMIN_EMAIL = "administracion@divan.example";

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Creates a folder for a server's data that the user "postgres" may enter. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "divan-e2e-"));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Starts the server like `npm start` and waits until it is ready. By default it uses a free port and one process.
 * @param parameters additional arguments
 * @param folder of the repository, or of a checkout of another commit
 */
export async function startServer(environment: Record<string, string>, parameters: string[] = [], folder = root) {
  const port = environment.PORT ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.includes(name)));
  const child = spawn(process.execPath, [...startArguments(folder), ...parameters], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      PORT: String(port),
      PUBLIC_URL: url,
      ADMIN_EMAIL,
      LOG_LEVEL: "warn",
      WORKERS: "1",
      TRUSTED_PROXIES: "127.0.0.1",
      ...environment,
    },
  });
  let output = "";
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  await new Promise<void>((ready, fail) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Press Ctrl-C to stop.")) ready();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void ended.then((code) => fail(new Error(`The server ended with ${code} before it was ready.\n${output}`)));
  });
  return {
    url,
    pid: child.pid!,
    output: () => output,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    /** Stops the server like Ctrl-C. @throws Error if it did not stop cleanly or logged an unexpected error */
    async stop({ expected = /(?!)/ }: { expected?: RegExp } = {}) {
      child.kill("SIGINT");
      const tooLong = setTimeout(() => child.kill("SIGKILL"), 20_000);
      const code = await ended;
      clearTimeout(tooLong);
      if (code !== 0) throw new Error(`The server ended with ${code}.\n${output}`);
      // Log levels: 50 is an error, 60 is fatal.
      const errors = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line) && !expected.test(line));
      if (errors.length) throw new Error(`The server logged errors:\n${errors.join("\n")}`);
    },
  };
}

export async function emptyDatabase(administrativeUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `divan_e2e_${randomUUID().replaceAll("-", "")}`;
  await connected(administrativeUrl, (admin) => admin.query(`create database ${name}`));
  const url = new URL(administrativeUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      connected(administrativeUrl, async (admin) => {
        // Connections close shortly after their pool has ended. Terminating them would cause an unhandled error.
        for (let tries = 0; tries < 100; tries++) {
          const open = await admin.query("select from pg_stat_activity where datname = $1", [name]);
          if (!open.rowCount) break;
          await pause(20);
        }
        await admin.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/**
 * Starts a server with a private database, which is empty.
 * @param parameters additional arguments
 */
export async function startPrivateServer(
  administrativeUrl: string,
  environment: Record<string, string> = {},
  parameters: string[] = [],
) {
  const folder = dataFolder();
  const database = await emptyDatabase(administrativeUrl);
  const settings = { DATA_DIR: folder.path, DATABASE_URL: database.url, DEMO: "on", ...environment };
  let server = await startServer(settings, parameters);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const close = async (options?: { expected?: RegExp }): Promise<void> => {
    await pool.end();
    await server.stop(options);
    await database.drop();
    folder.remove();
  };
  return {
    ...server,
    kill: () => server.kill(),
    databaseUrl: database.url,
    /** Environment of further servers with the same data. */
    settings,
    /** Starts the server again on the same port after it was killed. */
    async startAgain(): Promise<void> {
      server = await startServer({ ...settings, PORT: new URL(server.url).port }, parameters);
    },
    sql: async <Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]> =>
      (await pool.query(text, values)).rows,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Data of the whole run. The workers read it from their environment. */
export type Run = {
  /** The server with the demo community. */
  url: string;
  databaseUrl: string;
  /** URL of the server on which further databases can be created. */
  administrativeUrl: string;
  /** Emails of the demo accounts, by role as printed at the start. */
  accounts: Record<string, string>;
};

export const announceRun = (run: Run): void => {
  process.env.DIVAN_E2E_RUN = JSON.stringify(run);
};

export const currentRun = (): Run => JSON.parse(process.env.DIVAN_E2E_RUN ?? "null") as Run;
