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
import { ConfigError } from "./config.ts";

/** Written last, so that a copy that was interrupted is not taken for a whole one. */
const COMPLETE = ".complete";
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** Whether only we can change what lies at a path itself: no symbolic link, ours, and others may not write. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return Boolean(
    found && !found.isSymbolicLink() && found.uid === process.getuid!() && !(found.mode & WRITABLE_BY_OTHERS),
  );
}

/** Whether no one but root and us can rename or replace what lies in this folder, nor in those above it. */
function isGuarded(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { uid, mode } = lstatSync(path);
    if (uid !== 0 && uid !== process.getuid!()) return false;
    if (mode & WRITABLE_BY_OTHERS && !(mode & STICKY)) return false;
    if (dirname(path) === path) return true;
  }
}

/** Whether a folder and everything in it are ours. A link that is ours leads where we made it lead. */
function isWhollyOurs(folder: string): boolean {
  const { dev } = lstatSync(dirname(folder));
  if (!isOurs(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).every((entry) => {
    const found = lstatSync(join(entry.parentPath, entry.name));
    // Another device: somebody's file system that says of its files whatever they like.
    const safe = found.uid === process.getuid!() && found.dev === dev;
    return safe && (found.isSymbolicLink() || !(found.mode & WRITABLE_BY_OTHERS));
  });
}

/** Copies into a fresh folder that nobody else can enter until it is whole. @returns its path */
function freshCopy(source: string, parent: string): string {
  const fresh = join(parent, `.divan-${randomUUID()}`);
  // Fails where something of this name is there already, a link too.
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
 * A copy of a folder of programs that other users may run and only we can change. Made once, in the first of these places
 * where nobody else could have put or could change something.
 * @param places folders such as /var/cache; those where it cannot be are passed over
 * @throws ConfigError when there is no such place
 */
export function trustedCopy(source: string, name: string, places: string[]): string {
  const refused: string[] = [];
  for (const place of places) {
    let fresh: string | undefined;
    try {
      // Of a Mac's /var only its real path has no link in it.
      const parent = realpathSync(place);
      const copy = join(parent, name);
      const usable = () => isWhollyOurs(copy) && existsSync(join(copy, COMPLETE));
      if (!isGuarded(parent)) throw new Error("others may write there");
      if (usable()) return copy;
      accessSync(parent, constants.W_OK);
      fresh = freshCopy(source, parent);
      // Another start was faster.
      if (usable()) return copy;
      // What was left half done is ours to remove. Whatever is not ours stays as it is, and is not used.
      if (isOurs(copy)) rmSync(copy, { recursive: true, force: true });
      try {
        renameSync(fresh, copy);
        fresh = undefined;
      } catch (error) {
        // Another start was faster after all, or something that is not ours stands there.
        if (!usable()) throw error;
      }
      if (usable()) return copy;
      throw new Error(`${copy} is not ours`);
    } catch (error) {
      refused.push(`${place}: ${(error as Error).message}`);
    } finally {
      if (fresh) rmSync(fresh, { recursive: true, force: true });
    }
  }
  throw new ConfigError(
    `The database's programs cannot be copied to where only root can change them (${refused.join("; ")}). Remove what stands there, or set DATABASE_URL.`,
  );
}
