/** Builds pages and server when a source changed since the last build. `--force` builds always. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const stamp = join(root, "build", ".stamp");

function* filesUnder(path: string): Generator<string> {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path).sort()) yield* filesUnder(join(path, entry));
}

const hash = createHash("sha256");
for (const part of ["app", "server", "shared", "public", "vite.config.ts", "react-router.config.ts", "package.json"])
  for (const file of filesUnder(join(root, part)))
    if (!file.endsWith(".test.ts")) hash.update(file.slice(root.length)).update(readFileSync(file));
const sources = hash.digest("hex");

const fresh = existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
if (!fresh || process.argv.includes("--force")) {
  console.log("Building...");
  const cli = join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(process.execPath, [cli, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.exit(result.status ?? 1);
  }
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(stamp, sources);
}
