/** Builds pages and server if a source changed since the last build. `--force` always builds. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { gzip } from "libdeflate";

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

function sourcesHash(): string {
  const hash = createHash("sha256");
  for (const part of [
    ...["app", "server", "shared", "public", "scripts/vite-prose.ts", "scripts/build.ts"],
    ...["vite.config.ts", "react-router.config.ts", "tsconfig.json", "package.json", "package-lock.json"],
  ])
    for (const file of filesUnder(join(root, part)))
      if (!/\.test\.tsx?$/.test(file)) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex");
}

const isFresh = () => existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesHash();

function build(): void {
  console.log("Building...");
  const sources = sourcesHash();
  const cli = join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(process.execPath, [cli, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.exitCode = result.status ?? 1;
    return;
  }
  // Compress once here instead of at every request; the server chooses by Accept-Encoding.
  for (const file of filesUnder(join(root, "build", "client"))) {
    if (!/\.(js|css|svg)$/.test(file)) continue;
    const content = readFileSync(file);
    // 3 % shorter than zlib's, for browsers and proxies without Brotli.
    writeFileSync(`${file}.gz`, gzip(content, 12));
    writeFileSync(`${file}.br`, brotliCompressSync(content));
  }
  writeFileSync(stamp, sources);
}

if (process.argv.includes("--force") || !isFresh()) build();
