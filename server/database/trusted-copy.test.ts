import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "../config.ts";
import { trustedCopy } from "./trusted-copy.ts";

const NO_ONE = 65_534;
const NAME = "divan-postgres-1.2.3";
const OURS = "#!/bin/sh\necho ours\n";
const THEIRS = "#!/bin/sh\necho theirs\n";

let folder: string;
let source: string;
/** Like /var/tmp: all users may create files. */
let open: string;
/** Like /var/cache: only root may create files. */
let closed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "divan-copy-"));
  chmodSync(folder, 0o755);
  source = join(folder, "source");
  mkdirSync(join(source, "bin"), { recursive: true });
  writeFileSync(join(source, "bin", "pg_ctl"), OURS);
  // Modes that an unpacked package may have.
  chmodSync(join(source, "bin", "pg_ctl"), 0o777);
  chmodSync(join(source, "bin"), 0o777);
  symlinkSync("pg_ctl", join(source, "bin", "pg"));
  open = join(folder, "open");
  closed = join(folder, "closed");
  mkdirSync(open);
  chmodSync(open, 0o1777);
  mkdirSync(closed, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (copy: string) => readFileSync(join(copy, "bin", "pg_ctl"), "utf8");
/** Creates a copy of an attacker under our name. */
function trap(path: string, uid = NO_ONE): void {
  mkdirSync(join(path, "bin"), { recursive: true });
  writeFileSync(join(path, "bin", "pg_ctl"), THEIRS, { mode: 0o755 });
  writeFileSync(join(path, ".complete"), "");
  for (const one of [join(path, "bin", "pg_ctl"), join(path, ".complete"), join(path, "bin"), path])
    chownSync(one, uid, uid);
}

describe.skipIf(process.getuid?.() !== 0)("trustedCopy", () => {
  test("copies once, executable by all users and writable by none of them", () => {
    const before = process.umask(0);
    try {
      const copy = trustedCopy(source, NAME, [closed]);
      expect(copy).toBe(join(closed, NAME));
      for (const path of [copy, join(copy, "bin"), join(copy, "bin", "pg_ctl")]) {
        const { uid, mode } = lstatSync(path);
        expect([path, uid, mode & 0o777]).toEqual([path, 0, 0o755]);
      }
      expect(lstatSync(join(copy, "bin", "pg")).isSymbolicLink()).toBe(true);
      const made = lstatSync(copy).ino;
      expect(trustedCopy(source, NAME, [closed])).toBe(copy);
      expect(lstatSync(copy).ino).toBe(made);
      expect(readdirSync(closed)).toEqual([NAME]);
    } finally {
      process.umask(before);
    }
  });

  test("uses no folder that another user created before", () => {
    trap(join(open, NAME));
    const copy = trustedCopy(source, NAME, [open, closed]);
    expect(copy).toBe(join(closed, NAME));
    expect(program(copy)).toBe(OURS);
    // The other user's folder stays unchanged, with no file next to it.
    expect(program(join(open, NAME))).toBe(THEIRS);
    expect(lstatSync(join(open, NAME)).mode & 0o777).toBe(0o755);
    expect(readdirSync(open)).toEqual([NAME]);
  });

  test("uses no symbolic link, for every owner and target", () => {
    trap(join(folder, "elsewhere"));
    trap(join(folder, "of-root"), 0);
    for (const [target, owner] of [
      ["elsewhere", NO_ONE],
      ["of-root", NO_ONE],
      ["nowhere", NO_ONE],
      ["elsewhere", 0],
    ] as const) {
      rmSync(join(open, NAME), { force: true });
      symlinkSync(join(folder, target), join(open, NAME));
      lchownSync(join(open, NAME), owner, owner);
      const copy = trustedCopy(source, NAME, [open, closed]);
      expect([target, copy]).toEqual([target, join(closed, NAME)]);
      expect(program(copy)).toBe(OURS);
      expect(lstatSync(join(open, NAME)).isSymbolicLink()).toBe(true);
    }
    expect(program(join(folder, "elsewhere"))).toBe(THEIRS);
  });

  test.each([
    ["belongs to another user", (copy: string) => chownSync(join(copy, "bin", "pg_ctl"), NO_ONE, NO_ONE)],
    ["can be written by every user", (copy: string) => chmodSync(join(copy, "bin", "pg_ctl"), 0o757)],
    ["can be written by a group", (copy: string) => chmodSync(join(copy, "bin"), 0o775)],
    ["was copied only half", (copy: string) => rmSync(join(copy, ".complete"))],
  ])("copies again if a file inside %s", (_what, spoil) => {
    const copy = trustedCopy(source, NAME, [closed]);
    writeFileSync(join(copy, "bin", "pg_ctl"), THEIRS);
    spoil(copy);
    expect(program(trustedCopy(source, NAME, [closed]))).toBe(OURS);
    expect(readdirSync(closed)).toEqual([NAME]);
  });

  test("throws ConfigError if other users can write to every place", () => {
    chmodSync(open, 0o777);
    chownSync(closed, NO_ONE, NO_ONE);
    expect(() => trustedCopy(source, NAME, [open, closed, join(folder, "missing")])).toThrow(ConfigError);
    expect(existsSync(join(open, NAME))).toBe(false);
    expect(existsSync(join(closed, NAME))).toBe(false);
    // The same holds for a parent folder that other users can write to.
    mkdirSync(join(open, "inner"), { mode: 0o755 });
    expect(() => trustedCopy(source, NAME, [join(open, "inner")])).toThrow(ConfigError);
  });

  test("creates one complete copy for 4 concurrent starts", async () => {
    const script = `import { trustedCopy } from ${JSON.stringify(join(import.meta.dirname, "trusted-copy.ts"))};
      const { readFileSync } = await import("node:fs");
      const copy = trustedCopy(${JSON.stringify(source)}, ${JSON.stringify(NAME)}, [${JSON.stringify(open)}]);
      process.stdout.write(copy + readFileSync(copy + "/bin/pg_ctl", "utf8"));`;
    const starts = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", script]),
    );
    for (const { stdout } of await Promise.all(starts)) expect(stdout).toBe(join(open, NAME) + OURS);
    expect(readdirSync(open)).toEqual([NAME]);
  });
});
