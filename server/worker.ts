/** Serves HTTP in a worker or in the only process. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as AppModule from "./app.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { isTransient } from "./database/faults.ts";
import { stop, whenStopping } from "./lifetime.ts";
import { closeServer, httpServer, listen, type NodeMiddleware } from "./listen.ts";
import { RUNS_JOBS } from "./processes.ts";

const root = join(import.meta.dirname, "..");

/**
 * Opens the application and listens.
 * @returns the port
 * @throws ConfigError if the port is taken
 */
export async function serve(config: Config, databaseUrl: string, development = false): Promise<number> {
  let before: NodeMiddleware;
  let fetchPage: AppModule.App["fetch"] | undefined;
  const server = httpServer(
    (request, peer) => fetchPage!(request, peer),
    (request, response, next) => before(request, response, next),
  );
  let module: typeof AppModule;
  let closeHmrSockets: (() => Promise<void>) | undefined;
  if (development) {
    const { createServer: createVite } = await import("vite");
    const vite = await createVite({ root, server: { middlewareMode: true, hmr: { server } }, appType: "custom" });
    whenStopping(() => vite.close());
    closeHmrSockets = () => vite.ws.close();
    before = vite.middlewares;
    module = (await vite.ssrLoadModule("/server/app.ts")) as typeof AppModule;
  } else {
    module = (await import(pathToFileURL(join(root, "build", "server", "index.js")).href)) as typeof AppModule;
  }

  const app = await module.openApp({
    config,
    databaseUrl,
    development,
    workers: RUNS_JOBS,
    clientFolder: join(root, "build", "client"),
  });
  whenStopping(() => app.close());
  const { log } = app.context;
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => {
    module.asAppError(error instanceof Error ? error : new Error(String(error)), log, "unhandled rejection");
  });
  fetchPage = app.fetch;
  if (!development) before = app.before;

  const port = await listen(server, config.port, config.host, (error) =>
    log.warn({ event: "connection_not_taken", reason: error.message }),
  );
  whenStopping(() => closeServer(server));
  // The HMR sockets of browsers would prevent the server from closing.
  if (closeHmrSockets) whenStopping(closeHmrSockets);
  return port;
}

/** `outage` is true if the worker could not start because the database does not respond. */
export type Report = { port: number } | { error: Error; wrongSetting: boolean; outage: boolean };
/** The primary's message to a worker that must stop. */
export const STOP = "stop";

const report = (message: Report) => new Promise<void>((sent) => process.send!(message, () => sent()));

/** Serves until the primary sends `STOP`. */
export async function startWorker(): Promise<void> {
  process.on("message", (message) => {
    if (message === STOP) void stop(0);
  });
  try {
    await report({ port: await serve(readConfig(process.env), process.env.WORKER_DATABASE_URL!) });
  } catch (error) {
    // An unavailable address does not count as an outage. Node's cluster module reports it as an error of "bind".
    const outage = isTransient(error) && (error as NodeJS.ErrnoException).syscall !== "bind";
    await report({ error: error as Error, wrongSetting: error instanceof ConfigError, outage });
    await stop(1);
  }
}
