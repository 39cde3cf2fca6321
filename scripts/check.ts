/** Checks before every commit: types, lint and format, unused exports, the map of the specification. Changes no source. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = join(import.meta.dirname, "..");

/** Returns the file of a package's command, so that it runs on this Node and not on the shell's. */
function bin(name: string, command: string): string {
  const folder = join(root, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
  return join(folder, bin[command]!);
}

async function run(name: string, ...command: string[]): Promise<void> {
  const begin = performance.now();
  const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const code = new Promise((resolve) => child.on("close", resolve));
  const [status, ...output] = await Promise.all([code, text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"}  ${name.padEnd(16)} ${seconds.padStart(5)} s`);
  if (status === 0) return;
  process.exitCode = 1;
  process.stdout.write(output.join(""));
}

async function types(): Promise<void> {
  // The pages' types first: without them the pages do not compile.
  await run("types of pages", bin("@react-router/dev", "react-router"), "typegen");
  const incremental = ["--incremental", "--tsBuildInfoFile", ".react-router/tsc.tsbuildinfo"];
  await run("types", bin("typescript", "tsc"), "--noEmit", ...incremental);
}

await Promise.all([
  types(),
  run("lint and format", bin("@biomejs/biome", "biome"), "check", "--error-on-warnings"),
  run("unused exports", bin("knip", "knip"), "--no-progress"),
  run("spec map", join(import.meta.dirname, "check-spec-map.ts")),
]);
