/** What a data folder and the machine say of the PostgreSQL that runs on it: its lock file, its process, its port. */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

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
export async function choosePort(folder: string): Promise<number> {
  const before = Number(/"port=(\d+)"/.exec(readIfExists(join(folder, "postmaster.opts")))?.[1]);
  if (before >= PORTS.first && before <= PORTS.last && (await isFree(before))) return before;
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (await isFree(port)) return port;
  }
}

/** The text of a file, empty when there is none. */
export const readIfExists = (file: string): string => {
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

/** A running server: its process, and where it listens. */
export type Postmaster = { pid: number; port: number };

/** The content of the folder's lock file: the server that runs there or ran last. */
function lastPostmaster(folder: string): Postmaster | null {
  const [pid, , , port] = readIfExists(join(folder, "postmaster.pid")).split("\n").map(Number);
  return pid && port ? { pid, port } : null;
}

/** The PostgreSQL that already runs in this folder (it survives a `kill -9` of the server), or null. */
export function runningPostmaster(folder: string): Postmaster | null {
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
export function removeStaleLock(folder: string): void {
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

/** Whether the server with this process id still runs. It is called often, so it must be cheap. */
export function isProcessAlive(pid: number, folder: string): boolean {
  if (process.platform === "linux") return isServerOf(pid, folder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
