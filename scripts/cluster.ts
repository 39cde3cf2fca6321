/** `npm run cluster`: two nodes on one database with a streaming replica and, if PgBouncer is installed, a pooler. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  createReader,
  HAS_PGBOUNCER,
  NO_PGBOUNCER,
  poolerEnvironment,
  setPoolerSettings,
  startPooler,
  startReplicated,
} from "#test/database-cluster.ts";
import { connected } from "#test/load.ts";
import { startServer } from "../e2e/server.ts";

const folder = resolve(process.env.DATA_DIR ?? "data", "cluster");
const primaryFolder = join(folder, "primary");
const replicaFolder = join(folder, "replica");
const files = join(folder, "files");
for (const path of [folder, primaryFolder, replicaFolder, files]) {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

const { primary, replica } = await startReplicated(primaryFolder, replicaFolder);
/** Functions that stop everything, called in reverse order. */
const started: (() => Promise<void>)[] = [primary.stop, replica.stop];
let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const end of started.toReversed()) await end().catch((error: Error) => console.error(error.message));
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void stop().then(() => process.exit()));

try {
  let environment: Record<string, string> = { DATABASE_URL: primary.url };
  if (HAS_PGBOUNCER) {
    const { username, pathname } = new URL(primary.url);
    const password = await connected(primary.url, async (client) => {
      const made = await createReader(client);
      await setPoolerSettings(client, username, pathname.slice(1));
      return made;
    });
    const pooler = await startPooler(primary.url, password);
    started.push(pooler.stop);
    environment = poolerEnvironment(primary.url, pooler.port, password);
  } else console.log(`${NO_PGBOUNCER} The nodes connect to PostgreSQL itself.`);
  const shared = { DATA_DIR: files, DEMO: "on", LOG_LEVEL: "warn" };
  const first = Number(process.env.PORT ?? 3001);
  for (const port of [first, first + 1]) {
    const settings = { ...environment, ...shared, DATABASE_REPLICA_URL: replica.url, PORT: String(port) };
    const node = await startServer(settings);
    started.push(() => node.stop());
    if (port === first)
      spawnSync(process.execPath, [join(import.meta.dirname, "..", "e2e", "load-demo.ts")], {
        stdio: "inherit",
        env: { ...process.env, ...shared, DATABASE_URL: primary.url },
      });
    console.log(`A node is ready at ${node.url}/`);
  }
  console.log(
    `\nPrimary  ${primary.url}\nReplica  ${replica.url}\nNodes    ${environment.DATABASE_URL}\n\nPress Ctrl-C to stop.`,
  );
} catch (error) {
  console.error(error);
  await stop();
  process.exit(1);
}
