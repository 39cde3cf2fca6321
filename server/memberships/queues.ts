import type { PgBoss } from "pg-boss";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob } from "../jobs.ts";

// Not retried: the next sweep runs ten minutes later.
export const PAYMENT_SWEEP = defineQueue("payment-sweep", { retryLimit: 0, expireInSeconds: 540 });

/** A membership that ended here and must be cancelled at its payment provider. */
export type CancellationJob = { subscription_id: string };

// About a day; after that the sweep keeps retrying, and the administrator sees it.
export const CANCELLATIONS = defineQueue<CancellationJob>("cancellations", {
  retryLimit: 30,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 240,
  notify: true,
});

/** Queues a cancellation at the payment provider, in the transaction that ends the membership. */
export const queueCancellation = (boss: PgBoss, tx: Tx, subscriptionId: string): Promise<void> =>
  queueJob(boss, tx, CANCELLATIONS, { subscription_id: subscriptionId });
