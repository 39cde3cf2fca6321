import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "..", "node_modules");
const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz", "chromium", "package.json"), "utf8")) as {
  version: string;
};
const folder = join(modules, ".cache", "divan-chromium", version);

type Env = Record<string, string>;

/** Runs `work` while TMPDIR names a folder, because the package unpacks into the temporary folder. */
async function inFolder<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = place;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

const runs = (executablePath: string, env: Env) =>
  spawnSync(executablePath, ["--no-sandbox", "--headless=shell", "--version"], { env }).status === 0;

/**
 * Unpacks the browser from npm, once per version.
 *
 * By itself, the package would unpack into the machine's temporary folder and reuse any file there, even an older
 * version or an unfinished one. So it gets a private folder that is renamed only when it is complete.
 */
export async function unpackedChromium(): Promise<{ executablePath: string; env: Env }> {
  const executablePath = join(folder, "chromium");
  const env = { ...process.env } as Env;
  // Uses the libraries of the package on a machine that lacks them.
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(folder, "al2023", "lib") };
  if (!existsSync(executablePath)) {
    const { default: chromium, inflate } = await import("@sparticuz/chromium");
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await inFolder(unfinished, async () => {
      await chromium.executablePath();
      if (!runs(join(unfinished, "chromium"), env))
        await inflate(join(modules, "@sparticuz", "chromium", "bin", "al2023.tar.br"));
    });
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process has unpacked it.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(executablePath)) throw error;
    }
  }
  return { executablePath, env: existsSync(withLibraries.LD_LIBRARY_PATH) ? withLibraries : env };
}
