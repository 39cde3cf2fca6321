/** State of the PostgreSQL of a data folder: its lock file, its process, its port. */
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

/** Returns the text of a file, or "" if it does not exist. */
export const readIfExists = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** True if a process is a PostgreSQL server of this folder and not a zombie. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === "linux") {
      // Format "pid (name) state ..."; Z is a zombie.
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

/** Returns the running PostgreSQL of this folder, or null. It survives a `kill -9` of our server. */
export function runningPostmaster(folder: string): { pid: number; port: number } | null {
  const [pid, , , port] = readIfExists(join(folder, "postmaster.pid")).split("\n").map(Number);
  return pid && port && isServerOf(pid, folder) ? { pid, port } : null;
}

/**
 * Longest time in which PostgreSQL writes a lock file, in milliseconds. A file that is empty for longer was cut off by
 * a crash.
 */
const LOCK_WRITTEN_MS = 10_000;

/**
 * Removes a stale lock file that PostgreSQL itself would not remove: an empty one, or one whose process id now belongs
 * to another process or a zombie.
 *
 * Other files stay, because removing the lock of a server that another node has just started would end that server.
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

/** True if the server with this process id is running. Must be cheap, because it runs often. */
export function isProcessAlive(pid: number, folder: string): boolean {
  if (process.platform === "linux") return isServerOf(pid, folder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
