/** Prepares the database and everything else that workers need, starts workers, and replaces dead ones. */
import cluster, { type Worker } from "node:cluster";
import { join } from "node:path";
import type { Logger } from "pino";
import { PRODUCT_NAME } from "#shared/product.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { checkConnections, checkPublicConnections } from "./database/connection-check.ts";
import { startEmbeddedPostgres } from "./database/embedded.ts";
import { logOutage } from "./database/faults.ts";
import { openDatabases } from "./database/handles.ts";
import { migrate } from "./database/migrate.ts";
import { loadDemo } from "./demo/load.ts";
import { fail, isStopping, whenStopping } from "./lifetime.ts";
import { openLog } from "./log.ts";
import { createQueues } from "./queues.ts";
import { type Report, STOP, serve } from "./worker.ts";

/** Time after its start in which a worker's death is early, in milliseconds; one before it serves is early too. */
const EARLY_MS = 10_000;
/** Consecutive early deaths that end the server, unless other workers serve or the database does not respond. */
const EARLY_DEATHS = 3;
/** Pause before the replacement of a worker after two consecutive early deaths, and after many, in milliseconds. */
const PAUSE_MS = { first: 250, longest: 1_000 } as const;
/** Time for the orderly end of a worker, in milliseconds. */
const WORKER_STOP_MS = 12_000;

/** Message of Node's cluster module to a worker, here a new connection, or the worker's response. */
type ClusterMessage = { act?: string; seq?: number; ack?: number; accepted?: boolean };

/**
 * Closes the connections that a dead or stopping worker did not accept.
 *
 * Node closes its own handle of a connection only after a worker accepted it. Otherwise the client would wait until the
 * primary ends.
 */
function closeUntakenConnections({ process: child }: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  const { send } = child;
  child.send = ((...given: Parameters<typeof send>) => {
    const [{ act, seq }, connection] = given as unknown as [ClusterMessage, { close(): void }];
    if (act === "newconn") untaken.set(seq!, connection);
    return Reflect.apply(send, child, given);
  }) as typeof send;
  child.on("internalMessage", ({ ack, accepted }: ClusterMessage) => {
    if (ack === undefined) return;
    if (!accepted && isStopping()) untaken.get(ack)?.close();
    untaken.delete(ack);
  });
  child.once("exit", () => {
    for (const connection of untaken.values()) connection.close();
  });
}

const stopWorker = (worker: Worker) =>
  new Promise<void>((ended) => {
    worker.once("exit", () => ended());
    worker.send(STOP, () => {});
    setTimeout(() => worker.process.kill("SIGKILL"), WORKER_STOP_MS).unref();
  });

/**
 * Starts workers and replaces each dead one.
 * @returns their port when all serve; never resolves if they cannot start
 */
function startWorkers(count: number, databaseUrl: string, log: Logger): Promise<number> {
  // Advanced serialization preserves the stack of errors.
  cluster.setupPrimary({ serialization: "advanced" });
  whenStopping(() => Promise.all(Object.values(cluster.workers ?? {}).map((worker) => stopWorker(worker!))));
  return new Promise((started) => {
    const serving = new Set<Worker>();
    let starting = true;
    let earlyDeaths = 0;

    function start(number: number): void {
      if (isStopping()) return;
      const begin = performance.now();
      let reason: Error | undefined;
      let outage = false;
      const worker = cluster.fork({
        WORKERS: String(count),
        WORKER_NUMBER: String(number),
        WORKER_DATABASE_URL: databaseUrl,
        // Otherwise glibc gives each thread that compresses a separate heap and returns little of it.
        MALLOC_ARENA_MAX: "2",
      });
      closeUntakenConnections(worker);
      worker.on("message", (report: Report) => {
        if ("error" in report) {
          ({ error: reason, outage } = report);
          if (starting && report.wrongSetting) void fail(new ConfigError(reason.message));
          return;
        }
        serving.add(worker);
        if (!starting) log.warn({ event: "worker_replaced", worker: number });
        else if (serving.size === count) {
          starting = false;
          started(report.port);
        }
      });
      const replace = (ending: Error) => {
        const served = serving.delete(worker);
        if (isStopping()) return;
        reason ??= ending;
        log.warn({ event: "worker_died", worker: number, reason: reason.message });
        earlyDeaths = !served || performance.now() - begin < EARLY_MS ? earlyDeaths + 1 : 0;
        if (earlyDeaths >= EARLY_DEATHS && !outage && (starting || !serving.size)) void fail(reason);
        else if (earlyDeaths < 2) start(number);
        else setTimeout(start, Math.min(PAUSE_MS.first * 2 ** (earlyDeaths - 2), PAUSE_MS.longest), number);
      };
      worker.once("exit", (code, signal) => replace(new Error(`A worker ended with ${signal ?? code}.`)));
      // If no process or memory is left, no worker ran that could exit.
      worker.on("error", (error) => worker.process.pid === undefined && replace(error));
    }
    for (let number = 1; number <= count; number++) start(number);
  });
}

async function fillDemo(config: Config, databaseUrl: string, log: Logger): Promise<string[]> {
  const databases = openDatabases(databaseUrl, (error) => logOutage(log, "database_connection_lost", error));
  try {
    return await loadDemo({ db: databases.db, config, now: () => new Date() });
  } finally {
    await databases.close();
  }
}

/** Reads the environment, then starts the database, migrates it, loads the demo and serves HTTP. */
export async function startPrimary(development: boolean): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config);
  let { databaseUrl } = config;
  if (!databaseUrl) {
    const embedded = await startEmbeddedPostgres(config.dataDir);
    whenStopping(() => embedded.stop());
    embedded.watch((event, reason) => log.warn({ event, reason }));
    databaseUrl = embedded.url;
  }
  if (isStopping()) return;
  const { pooler } = config;
  await checkConnections(databaseUrl, pooler);
  await migrate(pooler?.directUrl ?? databaseUrl, createQueues, join(import.meta.dirname, "..", "migrations"));
  await checkPublicConnections(databaseUrl, pooler);
  const demoAccounts = config.demo && !config.databaseUrl ? await fillDemo(config, databaseUrl, log) : [];

  const single = development || config.workers === 1;
  const port = single
    ? await serve(config, databaseUrl, development)
    : await startWorkers(config.workers, databaseUrl, log);
  console.log(
    `\n${PRODUCT_NAME} is ready at ${config.databaseUrl || process.env.PUBLIC_URL ? config.publicUrl.href : `http://localhost:${port}/`}`,
  );
  if (demoAccounts.length)
    console.log(
      `\nThis is a demo with a fictional community. Accounts to try:\n${demoAccounts.map((line) => `  ${line}`).join("\n")}\n${config.smtpUrl ? "Mails are sent: SMTP_URL is set." : "Mails are not sent; read them at /correo."}`,
    );
  console.log("\nPress Ctrl-C to stop.");
}
