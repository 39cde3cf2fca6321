import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "../config.ts";

/** File that is written last, so that an interrupted copy does not count as complete. */
const COMPLETE = ".complete";
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** True if only we can change the entry at a path: no symbolic link, owned by us, and not writable by others. */
function isOwnedByUs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return Boolean(
    found && !found.isSymbolicLink() && found.uid === process.getuid!() && !(found.mode & WRITABLE_BY_OTHERS),
  );
}

/** True if only root and we can rename or replace entries of this folder and of its parents. */
function isProtected(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { uid, mode } = lstatSync(path);
    if (uid !== 0 && uid !== process.getuid!()) return false;
    if (mode & WRITABLE_BY_OTHERS && !(mode & STICKY)) return false;
    if (dirname(path) === path) return true;
  }
}

/** True if we own a folder and everything in it. Our own symbolic links are trusted. */
function isTreeOwnedByUs(folder: string): boolean {
  const { dev } = lstatSync(dirname(folder));
  if (!isOwnedByUs(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).every((entry) => {
    const found = lstatSync(join(entry.parentPath, entry.name));
    // A mounted file system on another device may claim any owner.
    const safe = found.uid === process.getuid!() && found.dev === dev;
    return safe && (found.isSymbolicLink() || !(found.mode & WRITABLE_BY_OTHERS));
  });
}

/**
 * Copies into a new folder that only we can enter until the copy is complete.
 * @returns its path
 */
function freshCopy(source: string, parent: string): string {
  const fresh = join(parent, `.divan-${randomUUID()}`);
  // Fails if the name exists, even as a link.
  mkdirSync(fresh, { mode: 0o700 });
  try {
    cpSync(source, fresh, { recursive: true, verbatimSymlinks: true });
    chmodSync(fresh, 0o700);
    for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      const path = join(entry.parentPath, entry.name);
      chmodSync(path, (lstatSync(path).mode & 0o755) | (entry.isDirectory() ? 0o755 : 0o444));
    }
    writeFileSync(join(fresh, COMPLETE), "", { mode: 0o444 });
    chmodSync(fresh, 0o755);
    return fresh;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Returns the copy in one place and creates it if necessary.
 * @throws Error with the reason if the place is unusable
 */
function copyIn(place: string, source: string, name: string): string {
  // On macOS /var is a link.
  const parent = realpathSync(place);
  const copy = join(parent, name);
  const usable = () => isTreeOwnedByUs(copy) && existsSync(join(copy, COMPLETE));
  if (!isProtected(parent)) throw new Error("other users can write to it");
  if (usable()) return copy;
  accessSync(parent, constants.W_OK);
  const fresh = freshCopy(source, parent);
  try {
    // Another start may have been faster.
    if (!usable()) putInPlace(fresh, copy, usable);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  if (usable()) return copy;
  throw new Error(`${copy} belongs to another user`);
}

function putInPlace(fresh: string, copy: string, usable: () => boolean): void {
  // Remove an incomplete copy of ours. A foreign entry stays and is not used.
  if (isOwnedByUs(copy)) rmSync(copy, { recursive: true, force: true });
  try {
    renameSync(fresh, copy);
  } catch (error) {
    // Another start was faster, or a foreign entry has the name.
    if (!usable()) throw error;
  }
}

/**
 * Returns a copy of a folder of programs that other users may run and only we can change. Creates it once, in the first
 * suitable place.
 * @param places folders such as /var/cache; unusable ones are skipped
 * @throws ConfigError if no place is suitable
 */
export function trustedCopy(source: string, name: string, places: string[]): string {
  const refused: string[] = [];
  for (const place of places)
    try {
      return copyIn(place, source, name);
    } catch (error) {
      refused.push(`${place}: ${(error as Error).message}`);
    }
  throw new ConfigError(
    `The database's programs cannot be copied to a folder that only root can change (${refused.join("; ")}). Remove the existing entry, or set DATABASE_URL.`,
  );
}
