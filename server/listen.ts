import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ConfigError } from "./config.ts";

type Answer = (request: Request, peer: string) => Promise<Response>;
type Before = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** How long a client may take. Somebody who sends a byte a minute must not hold a connection. */
export const TIMEOUTS = { headers: 5_000, request: 20_000, keepAlive: 10_000, check: 1_000, closing: 3_000 } as const;

/** An HTTP server that asks `answer`, with patience for slow networks and none for slow attackers. */
export function httpServer(answer: Answer, before?: Before): Server {
  const listener = getRequestListener((request, env) =>
    answer(request, (env as { incoming: IncomingMessage }).incoming.socket.remoteAddress ?? ""),
  );
  const server = createServer(
    {
      headersTimeout: TIMEOUTS.headers,
      requestTimeout: TIMEOUTS.request,
      keepAliveTimeout: TIMEOUTS.keepAlive,
      connectionsCheckingInterval: TIMEOUTS.check,
    },
    (request, response) => {
      if (before) before(request, response, () => void listener(request, response));
      else void listener(request, response);
    },
  );
  server.maxRequestsPerSocket = 1_000;
  return server;
}

/** Begins to listen. @throws ConfigError when the port is taken */
export const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? new ConfigError(`PORT ${port} is in use. Stop what uses it, or choose another PORT.`)
          : error,
      ),
    );
    server.listen(port, host, () => done((server.address() as { port: number }).port));
  });

/** Stops taking requests; those under way get a moment to finish. */
export const closeServer = (server: Server) =>
  new Promise<void>((done) => {
    server.close(() => done());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), TIMEOUTS.closing).unref();
  });
