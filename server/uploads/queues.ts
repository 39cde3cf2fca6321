import type { PgBoss } from "pg-boss";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_HALF_AN_HOUR } from "../jobs.ts";

/** Files to remove unless a profile shows them. */
export const UNUSED_FILES = defineQueue<{ key: string }>("unused-files", {
  // Nothing else removes the file, so the retries outlast a long outage of the storage.
  retryLimit: 4000,
  ...RETRY_UP_TO_HALF_AN_HOUR,
  expireInSeconds: 120,
  retentionSeconds: 90 * 86400,
});

export const queueFileRemoval = (boss: PgBoss, tx: Tx, key: string): Promise<void> =>
  queueJob(boss, tx, UNUSED_FILES, { key });
