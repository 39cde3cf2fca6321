import { randomInt } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { HOUR_SECONDS, MINUTE_SECONDS } from "#shared/time.ts";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_HALF_AN_HOUR } from "../jobs.ts";

/**
 * Returns the random delay of a mail or push about an answer, in seconds. Its time must not reveal the answer.
 * @param atOnce true in the demo, where users wait for the message
 */
export const randomDelay = (atOnce: boolean): number => (atOnce ? 0 : randomInt(MINUTE_SECONDS, 30 * MINUTE_SECONDS));

/** Pushes about an answer or a reply to it. Has no user id: the users are looked up when it is sent. */
export const PUSHES = defineQueue<{ response_id: string }>("push", {
  retryLimit: 12,
  ...RETRY_UP_TO_HALF_AN_HOUR,
  expireInSeconds: 120,
  deleteAfterSeconds: HOUR_SECONDS,
});

/** Run of the daily digests, which queues a mail for each reader. */
export const DIGESTS = defineQueue("digests", { retryLimit: 3, expireInSeconds: 600 });

/** Queues a job even without subscribed browsers, as with the mail about an answer. The job looks for them. */
export const queuePushes = (boss: PgBoss, tx: Tx, response_id: string, atOnce: boolean): Promise<void> =>
  queueJob(boss, tx, PUSHES, { response_id }, { startAfter: randomDelay(atOnce) });
