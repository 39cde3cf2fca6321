import type pg from "pg";
import type { Db as QueueDatabase } from "pg-boss";
import { CONNECT_TIMEOUT_MS, closeWhenSilent, type OnConnectionLost, openClient, openPool } from "./handles.ts";

/** Backoff of reconnecting: quick, so that mails leave soon after the database returns, and at most twice a second. */
const RECONNECT_MS = { first: 50, longest: 500 } as const;
/** Interval of queries on the listening connection, in milliseconds. Only a query reveals its silence. */
const HEARTBEAT_MS = 1_000;

type Listen = NonNullable<QueueDatabase["listen"]>;

export type JobDatabase = QueueDatabase & { listen: Listen; close(): Promise<void> };

/**
 * The job queue's connections: a small pool, and one that listens for new jobs (LISTEN) and reconnects when it is lost. The
 * queue library's own waits up to 30 seconds before it reconnects, and removes all listeners from a connection that it
 * gives up, whose next error would then end the process.
 * @param onLost called for every lost connection
 */
export function openJobDatabase(url: string, max: number, onLost: OnConnectionLost): JobDatabase {
  const pool = openPool(url, "divan-jobs", max, onLost);
  return {
    executeSql: (text, values) => pool.query(text, values as unknown[]),
    listen: (channel, onNotification, onReconnect) =>
      listen(
        () =>
          openClient({
            connectionString: url,
            application_name: "divan-jobs-listen",
            keepAlive: true,
            connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
          }),
        channel,
        { onNotification, onReconnect, onLost },
      ),
    close: () => pool.end(),
  };
}

type ListenHandlers = { onNotification(payload: string): void; onReconnect(): void; onLost: OnConnectionLost };

async function listen(open: () => pg.Client, channel: string, hearing: ListenHandlers): ReturnType<Listen> {
  let current: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /** @throws Error when it cannot be connected */
  async function connect(): Promise<void> {
    const client = open();
    current = client;
    client.on("notification", ({ payload }) => {
      if (payload !== undefined && current === client) hearing.onNotification(payload);
    });
    try {
      await client.connect();
      closeWhenSilent(client);
      await client.query(`listen "${channel}"`);
    } catch (error) {
      if (current === client) current = null;
      client.end().catch(() => {});
      throw error;
    }
    if (closed) return;
    const onClientLost = (error: Error) => {
      if (closed || current !== client) return;
      current = null;
      clearTimeout(timer);
      client.end().catch(() => {});
      hearing.onLost(error);
      reconnectLater(RECONNECT_MS.first);
    };
    client.on("error", onClientLost);
    client.on("end", () => onClientLost(new Error("Connection terminated")));
    scheduleHeartbeat(client, onClientLost);
    // Jobs queued meanwhile are fetched.
    hearing.onReconnect();
  }

  function reconnectLater(delay: number): void {
    if (closed) return;
    timer = setTimeout(() => {
      connect().catch(() => reconnectLater(Math.min(delay * 2, RECONNECT_MS.longest)));
    }, delay);
  }

  function scheduleHeartbeat(client: pg.Client, lose: (error: Error) => void): void {
    timer = setTimeout(() => {
      client.query("select 1").then(() => current === client && !closed && scheduleHeartbeat(client, lose), lose);
    }, HEARTBEAT_MS);
  }

  // If it fails it is retried later: after a rejection here, the queue would poll only, until the next start.
  await connect().catch((error: Error) => {
    hearing.onLost(error);
    reconnectLater(RECONNECT_MS.first);
  });
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await current?.end().catch(() => {});
      current = null;
    },
  };
}
