import type { PgBoss } from "pg-boss";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob } from "../jobs.ts";

// Not retried: the next run is a minute later. `short`: many wakes in one moment are one job.
export const PAYMENT_WORK = defineQueue("payment-work", {
  policy: "short",
  retryLimit: 0,
  expireInSeconds: 540,
});

/** Wakes the worker on some node, in the transaction that makes a checkout due; without one (null) at once. */
export const queuePaymentWork = (boss: PgBoss, tx: Tx | null): Promise<void> => queueJob(boss, tx, PAYMENT_WORK, {});
