import type pg from "pg";
import { CONNECT_TIMEOUT_MS, closeWhenSilent, type OnConnectionLost, openClient } from "./handles.ts";

/** Delay before reconnecting, in milliseconds: short, and at most twice a second. */
const RECONNECT_MS = { first: 50, longest: 500 } as const;

type ListenHandlers = {
  onNotification(payload: string): void;
  /** Called after every connection. It may have missed notifications before. */
  onConnected(): void;
  onLost: OnConnectionLost;
};

/**
 * Listens on a channel of PostgreSQL (LISTEN) and replaces the connection if it is lost.
 * @param name of the connection, for `pg_stat_activity`
 * @param heartbeatMs interval of queries on the connection, because only a query reveals its silence
 */
export async function listenTo(
  url: string,
  name: string,
  channel: string,
  handlers: ListenHandlers,
  heartbeatMs: number,
) {
  let current: pg.Client | null = null;
  let lose: (error: Error) => void = () => {};
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let asking = Promise.resolve();
  let next: Promise<void> | null = null;

  /** PostgreSQL sends notifications of earlier commits before the result of a query. */
  async function ask(): Promise<void> {
    const client = current;
    const hear = () => {
      if (current === client) heardAt = performance.now();
    };
    // The query fails before the connection reports its end. No page may be sent in between.
    await client?.query("select 1").then(hear, lose);
  }

  /**
   * Waits for the handlers of all notifications of earlier commits. Without a connection it does nothing. Queries follow
   * one another; callers during a query share the next one.
   */
  function settled(): Promise<void> {
    next ??= asking.then(() => {
      next = null;
      asking = ask();
      return asking;
    });
    return next;
  }

  async function connect(): Promise<void> {
    const client = openClient({
      connectionString: url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on("notification", ({ payload }) => {
      if (payload !== undefined && (current === client || current === null)) handlers.onNotification(payload);
    });
    try {
      await client.connect();
      closeWhenSilent(client);
      await client.query(`listen "${channel}"`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (closed) return void client.end().catch(() => {});
    current = client;
    heardAt = performance.now();
    const loseThis = (error: Error) => {
      if (closed || current !== client) return;
      current = null;
      clearTimeout(timer);
      client.end().catch(() => {});
      handlers.onLost(error);
      reconnectLater(RECONNECT_MS.first);
    };
    lose = loseThis;
    client.on("error", loseThis);
    client.on("end", () => loseThis(new Error("Connection terminated")));
    scheduleHeartbeat(client);
    handlers.onConnected();
  }

  function reconnectLater(delay: number): void {
    if (closed) return;
    timer = setTimeout(() => {
      connect().catch(() => reconnectLater(Math.min(delay * 2, RECONNECT_MS.longest)));
    }, delay);
  }

  function scheduleHeartbeat(client: pg.Client): void {
    timer = setTimeout(async () => {
      await settled();
      if (current === client && !closed) scheduleHeartbeat(client);
    }, heartbeatMs);
  }

  // A rejection here would leave the caller without the connection until the next start.
  await connect().catch((error: Error) => {
    handlers.onLost(error);
    reconnectLater(RECONNECT_MS.first);
  });
  return {
    /** Time of the last response on the connection, in milliseconds of `performance.now()`; null while it is lost. */
    heardAt: () => current && heardAt,
    settled,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await current?.end().catch(() => {});
      current = null;
    },
  };
}
