/** Builds pages and server if a source changed since the last build. `--force` always builds. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { gzip } from "libdeflate";

const root = join(import.meta.dirname, "..");
const stamp = join(root, "build", ".stamp");

/** Files that the build depends on. */
const SOURCES = [
  ...["{app,server,shared,public}/**/*.*", "scripts/{vite-prose,build}.ts"],
  ...["{vite,react-router}.config.ts", "{tsconfig,package,package-lock}.json"],
];

function sourcesHash(): string {
  const hash = createHash("sha256");
  for (const file of globSync(SOURCES, { cwd: root, exclude: ["**/*.test.*"] }).sort())
    hash.update(file).update(readFileSync(join(root, file)));
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
  const folder = join(root, "build", "client");
  for (const name of globSync("**/*.{js,css,svg}", { cwd: folder })) {
    const file = join(folder, name);
    const content = readFileSync(file);
    // 3 % shorter than zlib's, for browsers and proxies without Brotli.
    writeFileSync(`${file}.gz`, gzip(content, 12));
    writeFileSync(`${file}.br`, brotliCompressSync(content));
  }
  writeFileSync(stamp, sources);
}

if (process.argv.includes("--force") || !isFresh()) build();
