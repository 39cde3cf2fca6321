import type { PgBoss } from "pg-boss";
import { LIMITS } from "#shared/limits.ts";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_AN_HOUR } from "../jobs.ts";

/** A removal by the administrator that can no longer be undone: its stored rows are deleted. */
export type RemovalJob = { decision_id: string };

// Housekeeping deletes what is left after that.
export const REMOVALS = defineQueue<RemovalJob>("removals", {
  retryLimit: 20,
  ...RETRY_UP_TO_AN_HOUR,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
});

/**
 * When the effects of a decision happen: once it can no longer be undone, and a second later, since clocks of nodes differ.
 */
export const AFTER_UNDO_SECONDS = LIMITS.undoSeconds + 1;

/** Queues the deletion of a removal's stored rows, in the transaction of the removal. */
export const queueRemoval = (boss: PgBoss, tx: Tx, decisionId: string): Promise<void> =>
  queueJob(boss, tx, REMOVALS, { decision_id: decisionId }, { startAfter: AFTER_UNDO_SECONDS });
