// Installs missing packages, then builds if `--build` is given and sources changed. Runs on Node 20 or newer without
// any package. All later steps use Node 24, which npm installs in node_modules/.bin.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".divan-installed");

/** Returns one hash of package.json and the lock file. */
function fingerprint() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package.json")))
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint()) {
  console.log("Installing missing packages (about a minute the first time)...");
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--include=dev", "--include=optional"]);
  // The installation may have completed the lock file, so compute the hash again.
  writeFileSync(stamp, fingerprint());
}

const node = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
const newest = existsSync(node) ? node : process.execPath;
if (newest === process.execPath && Number(process.versions.node.split(".")[0]) < 24) {
  console.error(
    `Diván needs Node 24. No package contains it for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}.`,
  );
  process.exit(1);
}
if (process.argv.includes("--build")) run(newest, [join(root, "scripts", "build.ts")]);
