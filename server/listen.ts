import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ConfigError } from "./config.ts";

type Handle = (request: Request, peer: string) => Promise<Response>;
/** Handles a request or calls `next`. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Timeouts of a client, in milliseconds. A client that sends one byte per minute must not hold a connection. */
export const TIMEOUTS = { headers: 5_000, request: 20_000, keepAlive: 10_000, check: 1_000, closing: 3_000 } as const;

/** Creates an HTTP server with timeouts that allow slow networks and stop slow attackers. */
export function httpServer(handle: Handle, before?: NodeMiddleware): Server {
  const listener = getRequestListener((request, env) =>
    handle(request, (env as { incoming: IncomingMessage }).incoming.socket.remoteAddress ?? ""),
  );
  const server = createServer(
    {
      headersTimeout: TIMEOUTS.headers,
      requestTimeout: TIMEOUTS.request,
      keepAliveTimeout: TIMEOUTS.keepAlive,
      connectionsCheckingInterval: TIMEOUTS.check,
    },
    (request, response) => {
      // A disconnected client is not an error, but an "error" event without a listener would end the process.
      response.on("error", () => {});
      const respond = () => listener(request, response).catch(() => response.destroy());
      if (before) before(request, response, () => void respond());
      else void respond();
    },
  );
  server.maxRequestsPerSocket = 1_000;
  return server;
}

/**
 * Starts listening.
 * @param onError called for later errors, for example if no file descriptor is left for a connection; they do not end
 * the process
 * @throws ConfigError if another program uses the port
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
  onError: (error: Error) => void = () => {},
): Promise<number> {
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new ConfigError(`PORT ${port} is in use. Stop what uses it, or choose another PORT.`);
  });
  server.on("error", onError);
  return (server.address() as { port: number }).port;
}

/** Stops accepting requests; running ones get `TIMEOUTS.closing` to finish. */
export const closeServer = (server: Server) =>
  new Promise<void>((done) => {
    server.close(() => done());
    setTimeout(() => server.closeAllConnections(), TIMEOUTS.closing).unref();
  });
