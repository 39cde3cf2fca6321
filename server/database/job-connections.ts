import type { Db as QueueDatabase } from "pg-boss";
import { type OnConnectionLost, openPool } from "./handles.ts";
import { listenTo } from "./listening.ts";

/** Interval of queries on the listening connection, in milliseconds. */
const HEARTBEAT_MS = 1_000;

export type JobDatabase = QueueDatabase & { listen: NonNullable<QueueDatabase["listen"]>; close(): Promise<void> };

/**
 * Opens the job queue's connections: a small pool, and one that listens for new jobs.
 *
 * The queue library's own listener waits up to 30 s before it reconnects. It also removes all listeners from a
 * connection that it drops, whose next error would then end the process.
 * @param directUrl URL that supports sessions. If it differs, `url` is a pooler
 * @param onLost called for every lost connection
 */
export function openJobDatabase(
  url: string,
  max: number,
  onLost: OnConnectionLost,
  directUrl: string = url,
): JobDatabase {
  const pool = openPool(url, "divan-jobs", max, onLost, directUrl === url ? {} : null);
  return {
    executeSql: (text, values) => pool.query(text, values as unknown[]),
    listen: (channel, onNotification, onReconnect) =>
      // Fetches the jobs of the time without a connection.
      listenTo(
        directUrl,
        "divan-jobs-listen",
        channel,
        { onNotification, onConnected: () => onReconnect(), onLost },
        HEARTBEAT_MS,
      ),
    close: () => pool.end(),
  };
}
