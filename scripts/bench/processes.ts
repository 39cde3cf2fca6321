/** Starts the measured servers: the built app of this or another commit, and the references. */
import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFolder, emptyDatabase, startServer } from "../../e2e/server.ts";
import type { Pages, Setup } from "./reference.ts";
import { type Community, seed } from "./seed.ts";

export const root = join(import.meta.dirname, "..", "..");

export type Target = { name: string; url: string; pid: number; stop(): Promise<void> };
export type App = Target & { databaseUrl: string; community: Community };

/** Secret of the measured app, which encrypts its cursors. */
export const APP_SECRET = "a secret of the benchmark, long enough";

/** Starts the built app in production mode on a new database and seeds it. */
export async function startApp(
  administrativeUrl: string,
  { name, folder = root, rows, askers }: { name: string; folder?: string; rows: number; askers: number },
): Promise<App> {
  const database = await emptyDatabase(administrativeUrl);
  const data = dataFolder();
  const settings = {
    DEMO: "off",
    HOST: "127.0.0.1",
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    APP_SECRET,
    // No mail server listens there; the seeded authors want no mails.
    SMTP_URL: "smtp://127.0.0.1:9",
    // Empty: the app's default number.
    WORKERS: process.env.WORKERS ?? "",
    // The page cache logs its hits when it closes.
    LOG_LEVEL: "info",
  };
  const server = await startServer(settings, [], folder);
  const community = await seed(database.url, rows, askers);
  return {
    name,
    url: server.url,
    pid: server.pid,
    databaseUrl: database.url,
    community,
    async stop() {
      await server.stop().catch((error: Error) => console.error(error.message));
      const counts = [...server.output().matchAll(/"page_cache_closed","hits":(\d+),"misses":(\d+)/g)];
      const [hits, misses] = [1, 2].map((at) => counts.reduce((sum, count) => sum + Number(count[at]), 0));
      if (counts.length) console.log(`${name}: page cache, hit rate ${(hits! / (hits! + misses!)).toFixed(3)}`);
      await database.drop();
      data.remove();
    },
  };
}

/** Starts the references with as many processes as the app has. */
export async function startReference(databaseUrl: string, processes: number, pages: Pages): Promise<Target> {
  const child = fork(join(import.meta.dirname, "reference.ts"), { serialization: "advanced" });
  const ended = new Promise((done) => child.once("exit", done));
  const port = await new Promise<number>((ready, fail) => {
    child.once("message", (port) => ready(port as number));
    child.once("exit", (code) => fail(new Error(`The reference ended with ${code}.`)));
    child.send({ databaseUrl, processes, pages } satisfies Setup);
  });
  return {
    name: "reference",
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** Returns the ids of the serving processes: the workers of a process, or itself without workers. */
export function servingProcesses(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children ? children.split(" ").map(Number) : [pid];
}

/** Returns the memory (RSS) of each serving process in MB. */
export const memoryOf = (pid: number): number[] =>
  servingProcesses(pid).map(
    (one) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, "utf8"))![1]) / 1024,
  );

/** Returns the processor time that the serving processes have used, in milliseconds. */
export const processorTimeOf = (pid: number): number =>
  servingProcesses(pid)
    .map((one) =>
      readFileSync(`/proc/${one}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" "),
    )
    // The kernel counts user and system time in hundredths of a second.
    .reduce((sum, fields) => sum + 10 * (Number(fields[11]) + Number(fields[12])), 0);

/** Builds a commit in a temporary folder with the packages of this one. */
export function buildCommit(commit: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "divan-against-"));
  const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: root, stdio: "ignore" });
  git("worktree", "add", "--force", "--detach", folder, commit);
  const remove = () => {
    git("worktree", "remove", "--force", folder);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    execFileSync(process.execPath, [join(folder, "scripts", "build.ts")], { cwd: folder, stdio: "inherit" });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}
