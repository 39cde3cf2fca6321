import type pg from "pg";
import type { Db as QueueDatabase } from "pg-boss";
import { type OnLost, openClient, openPool } from "./db.ts";

/** Soon after the database returns, mails go out at once again; a database that is away is asked twice a second. */
const RECONNECT_MS = { first: 50, longest: 500 } as const;
/** Behind a connection that broke without a word nobody notices until something is asked. */
const HEARTBEAT_MS = { every: 10_000, patience: 5_000 } as const;

type Listen = NonNullable<QueueDatabase["listen"]>;

export type JobDatabase = QueueDatabase & { listen: Listen; close(): Promise<void> };

/**
 * The job queue's connections: a small pool, and one connection that hears of new jobs (LISTEN) and is made again when it
 * is lost. The queue library's own would do the same, but waits up to 30 seconds before it connects again and takes all
 * listeners off a connection that it gives up, whose next error would then end the process.
 * @param onLost told of every connection that is lost
 */
export function openJobDatabase(url: string, max: number, onLost: OnLost): JobDatabase {
  const pool = openPool(url, "divan-jobs", max, onLost, {});
  return {
    executeSql: (text, values) => pool.query(text, values as unknown[]),
    listen: (channel, onNotification, onReconnect) =>
      listen(
        () => openClient({ connectionString: url, application_name: "divan-jobs-listen", keepAlive: true }),
        channel,
        { onNotification, onReconnect, onLost },
      ),
    close: () => pool.end(),
  };
}

type Hearing = { onNotification(payload: string): void; onReconnect(): void; onLost: OnLost };

async function listen(open: () => pg.Client, channel: string, hearing: Hearing): ReturnType<Listen> {
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
      await client.query(`listen "${channel}"`);
    } catch (error) {
      if (current === client) current = null;
      client.end().catch(() => {});
      throw error;
    }
    if (closed) return;
    const lose = (error: Error) => {
      if (closed || current !== client) return;
      current = null;
      clearTimeout(timer);
      client.end().catch(() => {});
      hearing.onLost(error);
      again(RECONNECT_MS.first);
    };
    client.on("error", lose);
    client.on("end", () => lose(new Error("Connection terminated")));
    beat(client, lose);
    // What was queued meanwhile is looked for.
    hearing.onReconnect();
  }

  function again(delay: number): void {
    if (closed) return;
    timer = setTimeout(() => {
      connect().catch(() => again(Math.min(delay * 2, RECONNECT_MS.longest)));
    }, delay);
  }

  function beat(client: pg.Client, lose: (error: Error) => void): void {
    timer = setTimeout(() => {
      const late = setTimeout(() => lose(new Error("no answer in time")), HEARTBEAT_MS.patience);
      client
        .query("select 1")
        .then(() => current === client && !closed && beat(client, lose), lose)
        .finally(() => clearTimeout(late));
    }, HEARTBEAT_MS.every);
  }

  // One that cannot be made at once is made later: refused here, the queue would do without until the next start.
  await connect().catch((error: Error) => {
    hearing.onLost(error);
    again(RECONNECT_MS.first);
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
