import type { PgBoss } from "pg-boss";
import type { Tx } from "../../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_HALF_AN_HOUR } from "../../jobs.ts";
import { UNDO_EFFECT_DELAY_SECONDS } from "../rules.ts";

/** Job that deletes the stored rows of a removal that cannot be undone any more. */
export type RemovalJob = { decision_id: string };

// Housekeeping deletes the rows if all retries fail.
export const REMOVALS = defineQueue<RemovalJob>("removals", {
  retryLimit: 20,
  ...RETRY_UP_TO_HALF_AN_HOUR,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
});

/** Queues the deletion of a removal's stored rows in the transaction of the removal. */
export const queueRemoval = (boss: PgBoss, tx: Tx, decisionId: string): Promise<void> =>
  queueJob(boss, tx, REMOVALS, { decision_id: decisionId }, { startAfter: UNDO_EFFECT_DELAY_SECONDS });
