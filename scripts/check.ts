/** Checks before every commit: types, lint and format, unused exports, documents. Changes no source. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Returns the file of a package's command, so that it runs on this Node and not on the shell's. */
function bin(name: string, command: string): string {
  const folder = join(root, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
  return join(folder, bin[command]!);
}

const steps: { name: string; command: string[] }[] = [
  // The pages' types first: without them the files under app/routes do not compile.
  { name: "types of pages", command: [bin("@react-router/dev", "react-router"), "typegen"] },
  { name: "types", command: [bin("typescript", "tsc"), "--noEmit"] },
  { name: "lint and format", command: [bin("@biomejs/biome", "biome"), "check", "--error-on-warnings"] },
  { name: "unused exports", command: [bin("knip", "knip"), "--no-progress"] },
  { name: "spec map", command: [join(import.meta.dirname, "check-spec-map.ts")] },
  { name: "decisions", command: [join(import.meta.dirname, "check-decisions.ts")] },
];

for (const { name, command } of steps) {
  const begin = performance.now();
  // A broken tree can print more than the default buffer of 1 MB.
  const result = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  const good = result.status === 0;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${good ? "ok    " : "FAILED"}  ${name.padEnd(16)} ${seconds.padStart(5)} s`);
  if (good) continue;
  process.exitCode = 1;
  process.stdout.write(`${result.stdout ?? ""}${result.stderr ?? ""}${result.error ? `${result.error}\n` : ""}`);
}
