/** Starts Diván: environment, database, migrations, demo, HTTP. Runs as TypeScript; everything else is one build. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type * as AppModule from "./app.ts";
import { ConfigError, readConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { migrate } from "./migrate.ts";

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
    for (const close of closing.reverse()) await Promise.resolve(close()).catch(() => {});
    process.exit(code);
  })();
  return stopping;
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

async function start(): Promise<void> {
  const config = readConfig(process.env);
  let databaseUrl = config.databaseUrl;
  if (!databaseUrl) {
    const embedded = await startEmbeddedPostgres(config.dataDir);
    closing.push(() => embedded.stop());
    databaseUrl = embedded.url;
  }
  if (stopping) return;
  await migrate(databaseUrl, join(root, "migrations"));

  const server = createServer();
  let module: typeof AppModule;
  let viteMiddleware: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | undefined;
  if (development) {
    const { createServer: createVite } = await import("vite");
    const vite = await createVite({ root, server: { middlewareMode: true, hmr: { server } }, appType: "custom" });
    closing.push(() => vite.close());
    viteMiddleware = vite.middlewares;
    module = (await vite.ssrLoadModule("/server/app.ts")) as typeof AppModule;
  } else {
    module = (await import(pathToFileURL(join(root, "build", "server", "index.js")).href)) as typeof AppModule;
  }

  const app = await module.openApp({ config, databaseUrl, development, clientFolder: join(root, "build", "client") });
  closing.push(() => app.close());
  let demoAccounts: string[] = [];
  if (config.demo && !config.databaseUrl) demoAccounts = await module.loadDemo(app.context);

  const listener = getRequestListener((request, env) =>
    app.fetch(request, (env as { incoming: IncomingMessage }).incoming.socket.remoteAddress ?? ""),
  );
  server.on("request", (request, response) => {
    if (viteMiddleware) viteMiddleware(request, response, () => void listener(request, response));
    else void listener(request, response);
  });
  // Somebody who sends a byte a minute must not hold a connection: headers within 5 s, the whole request within 20 s.
  server.headersTimeout = 5_000;
  server.requestTimeout = 20_000;
  server.keepAliveTimeout = 10_000;
  (server as unknown as { connectionsCheckingInterval: number }).connectionsCheckingInterval = 1_000;
  server.maxRequestsPerSocket = 1_000;

  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? new ConfigError(`PORT ${config.port} is in use. Stop what uses it, or choose another PORT.`)
          : error,
      ),
    );
    server.listen(config.port, config.host, done);
  });
  closing.push(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeIdleConnections();
        // Requests under way get a moment to finish.
        setTimeout(() => server.closeAllConnections(), 3_000).unref();
      }),
  );
  const { port } = server.address() as { port: number };
  console.log(
    `\nDiván is ready at ${config.databaseUrl || process.env.PUBLIC_URL ? config.publicUrl.href : `http://localhost:${port}/`}`,
  );
  if (demoAccounts.length)
    console.log(
      `\nThis is a demo with a fictional community. Accounts to try:\n${demoAccounts.map((line) => `  ${line}`).join("\n")}\nMails are not sent; read them at /correo.`,
    );
  console.log("\nPress Ctrl-C to stop.");
}

start().catch(async (error: unknown) => {
  console.error(error instanceof ConfigError ? `Diván cannot start. ${error.message}` : error);
  await stop(1);
});
