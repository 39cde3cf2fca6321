/** Starts Diván: environment, database, migrations, demo, HTTP. Runs as TypeScript; everything else is one build. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PRODUCT_NAME } from "#shared/product.ts";
import type * as AppModule from "./app.ts";
import { ConfigError, readConfig } from "./config.ts";
import { type ReportEvent, startEmbeddedPostgres } from "./database/embedded.ts";
import { migrate } from "./database/migrate.ts";
import { type Before, closeServer, httpServer, listen } from "./listen.ts";
import { createQueues } from "./queues.ts";

const root = join(import.meta.dirname, "..");
const development = process.argv.includes("--dev");
process.env.NODE_ENV = development ? "development" : "production";

const closing: (() => Promise<unknown> | unknown)[] = [];
let stopping: Promise<void> | undefined;

/** Stops in the reverse order of starting, once, whatever signals arrive meanwhile. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    const tooLong = setTimeout(() => process.exit(1), 15_000);
    tooLong.unref();
    for (const close of closing.reverse()) await (async () => close())().catch(() => {});
    process.exit(code);
  })();
  return stopping;
}
// An unhandled rejection is a bug to be fixed, but leaves no state that a handled one would not: the server goes on. An
// exception outside of promises may leave a parser or a buffer in an undefined state, and ends the process.
let onRejected = (error: unknown) => console.error(error);
process.on("unhandledRejection", (error) => onRejected(error));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

async function start(): Promise<void> {
  const config = readConfig(process.env);
  let databaseUrl = config.databaseUrl;
  let reportEvent: ReportEvent = (event, reason) => console.warn(event, reason ?? "");
  let unwatch: (() => void) | undefined;
  if (!databaseUrl) {
    const embedded = await startEmbeddedPostgres(config.dataDir);
    closing.push(() => embedded.stop());
    unwatch = embedded.watch((event, reason) => reportEvent(event, reason));
    databaseUrl = embedded.url;
  }
  if (stopping) return;
  await migrate(databaseUrl, createQueues, join(root, "migrations"));

  let before: Before;
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
    closing.push(() => vite.close());
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
    clientFolder: join(root, "build", "client"),
  });
  closing.push(() => app.close());
  reportEvent = (event, reason) => app.context.log.warn({ event, reason });
  onRejected = (error) =>
    void module.asAppError(
      error instanceof Error ? error : new Error(String(error)),
      app.context.log,
      "unhandled rejection",
    );
  fetchPage = app.fetch;
  if (!development) before = app.before;
  const demoAccounts = config.demo && !config.databaseUrl ? await module.loadDemo(app.context) : [];

  const port = await listen(server, config.port, config.host, (error) =>
    app.context.log.warn({ event: "connection_not_taken", reason: error.message }),
  );
  closing.push(() => closeServer(server));
  // The HMR sockets of browsers would keep the server open.
  if (closeHmrSockets) closing.push(closeHmrSockets);
  // Nothing is restarted while we stop.
  if (unwatch) closing.push(unwatch);
  console.log(
    `\n${PRODUCT_NAME} is ready at ${config.databaseUrl || process.env.PUBLIC_URL ? config.publicUrl.href : `http://localhost:${port}/`}`,
  );
  if (demoAccounts.length)
    console.log(
      `\nThis is a demo with a fictional community. Accounts to try:\n${demoAccounts.map((line) => `  ${line}`).join("\n")}\n${config.smtpUrl ? "Mails are sent: SMTP_URL is set." : "Mails are not sent; read them at /correo."}`,
    );
  console.log("\nPress Ctrl-C to stop.");
}

start().catch(async (error: unknown) => {
  console.error(error instanceof ConfigError ? `${PRODUCT_NAME} cannot start. ${error.message}` : error);
  await stop(1);
});
