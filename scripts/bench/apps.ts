/** Starts the measured servers: the built app of this or another commit, and the reference. */
import { execFileSync } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { childrenOf } from "#test/processes.ts";
import { dataFolder, emptyDatabase, startServer } from "../../e2e/server.ts";
import type { Pages, Setup } from "./reference.ts";
import { type Community, type Size, seed } from "./seed.ts";

export const root = join(import.meta.dirname, "..", "..");

/** A measured server, with its data. */
export type Target = {
  name: string;
  url: string;
  /** Returns the ids of its serving processes. A server replaces a dead one. */
  processes: () => number[];
  databaseUrl: string;
  community: Community;
};
type Start = (name: string, size: Size, folder?: string) => Promise<Target>;
type Apps = { app: Target; against: Target | null; start: Start; closing: AsyncDisposableStack };

/** Starts the built app in production mode on a new, seeded database. */
async function startApp(closing: AsyncDisposableStack, administrativeUrl: string, ...rest: Parameters<Start>) {
  const [name, size, folder = root] = rest;
  console.log(`Seeding ${size.rows} consultations for ${name}...`);
  const { url: databaseUrl } = await emptyDatabase(administrativeUrl);
  const data = dataFolder();
  closing.defer(data.remove);
  const settings = {
    DEMO: "off",
    HOST: "127.0.0.1",
    DATA_DIR: data.path,
    DATABASE_URL: databaseUrl,
    APP_SECRET: "a secret of the benchmark, long enough",
    // No mail server listens there; the seeded authors want no mails.
    SMTP_URL: "smtp://127.0.0.1:9",
    // Empty: the app's default number.
    WORKERS: process.env.WORKERS ?? "",
    // The page cache logs its hits when it closes.
    LOG_LEVEL: "info",
  };
  const server = await startServer(settings, [], folder);
  closing.defer(async () => {
    await server.stop().catch((error: Error) => console.error(error.message));
    const counts = [...server.output().matchAll(/"page_cache_closed","hits":(\d+),"misses":(\d+)/g)];
    const [hits, misses] = [1, 2].map((at) => counts.reduce((sum, count) => sum + Number(count[at]), 0));
    if (counts.length) console.log(`${name}: page cache, hit rate ${(hits! / (hits! + misses!)).toFixed(3)}`);
  });
  const processes = () => {
    const workers = childrenOf(server.pid);
    return workers.length ? workers : [server.pid];
  };
  return { name, url: server.url, processes, databaseUrl, community: await seed(databaseUrl, size) };
}

/** Builds a commit in a temporary folder with the packages of this one. */
function buildCommit(commit: string, closing: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), "divan-against-"));
  const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: root, stdio: "ignore" });
  git("worktree", "add", "--force", "--detach", folder, commit);
  closing.defer(() => void git("worktree", "remove", "--force", folder));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, [join(folder, "scripts", "build.ts")], { cwd: folder, stdio: "inherit" });
  return folder;
}

/** Runs work on the app and, if a commit is given, on its app. Then stops all servers, also after a signal. */
export async function withApps(size: Size, commit: string | undefined, work: (apps: Apps) => Promise<void>) {
  const closing = new AsyncDisposableStack();
  let stopping: Promise<void> | undefined;
  // After a signal the work fails because its servers stop. Its failure must wait until they have stopped.
  const stop = () => (stopping ??= closing.disposeAsync());
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    const data = dataFolder();
    closing.defer(data.remove);
    const postgres = await startEmbeddedPostgres(data.path, { max_connections: "200" });
    closing.defer(postgres.stop);
    const start: Start = (...rest) => startApp(closing, postgres.url, ...rest);
    const app = await start("app", size);
    const against = commit ? await start(commit, size, buildCommit(commit, closing)) : null;
    await work({ app, against, start, closing });
  } finally {
    await stop();
  }
}

/**
 * Starts the reference with as many processes as the app has.
 * @throws Error if one of them ends before it listens
 */
export async function startReference(
  { databaseUrl, community, processes }: Target,
  pages: Pages,
  closing: AsyncDisposableStack,
): Promise<Target> {
  cluster.setupPrimary({ exec: join(import.meta.dirname, "reference.ts"), serialization: "advanced" });
  const workers = processes().map(() => cluster.fork());
  closing.defer(() => workers.forEach((worker) => void worker.kill()));
  const ports = await Promise.all(
    workers.map(async (worker) => {
      worker.send({ databaseUrl, connections: Math.ceil(32 / workers.length), pages } satisfies Setup);
      const ended = once(worker, "exit").then(([code, signal]) => {
        throw new Error(`The reference ended with ${signal ?? code} before it listened.`);
      });
      const [{ port }] = (await Promise.race([once(worker, "listening"), ended])) as [{ port: number }];
      return port;
    }),
  );
  return {
    name: "reference",
    url: `http://127.0.0.1:${ports[0]}`,
    processes: () => workers.map((worker) => worker.process.pid!),
    databaseUrl,
    community,
  };
}

/** Returns the largest memory (RSS) of a process in MB. */
export const memoryOf = ({ processes }: Target): number =>
  Math.max(
    ...processes().map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1])),
  ) / 1024;

/** Returns the processor time that the processes have used, in milliseconds. */
export const processorTimeOf = ({ processes }: Target): number =>
  processes()
    .map((pid) =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" "),
    )
    // The kernel counts user and system time in hundredths of a second.
    .reduce((sum, fields) => sum + 10 * (Number(fields[11]) + Number(fields[12])), 0);
