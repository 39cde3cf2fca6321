import { fromKysely, type PgBoss } from "pg-boss";
import type { Tx } from "./db.ts";

/** A mail to be written and sent. It holds ids only: address and text are looked up when it is sent. */
export type MailJob =
  | { kind: "confirm_registration"; registration_id: string }
  | { kind: "recover_password"; recovery_id: string }
  | { kind: "password_changed"; profile_id: string }
  | { kind: "psychologist_approved"; psychologist_id: string }
  | { kind: "psychologist_rejected"; psychologist_id: string; reason: string | null };

export const MAIL_QUEUE = "mail";
const HOUSEKEEPING_QUEUE = "housekeeping";

/** Makes the queues; harmless when they exist. */
export async function createQueues(boss: PgBoss): Promise<void> {
  // 30 s, 1 min, 2 min ... up to an hour: about a day of trying before a person has to look.
  await boss.createQueue(MAIL_QUEUE, {
    retryLimit: 30,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    retentionSeconds: 30 * 86400,
    deleteAfterSeconds: 7 * 86400,
  });
  await boss.createQueue(HOUSEKEEPING_QUEUE, { retryLimit: 2, expireInSeconds: 300 });
}

/** Queues a mail in the transaction of what causes it: rolled back with it, never lost after it. */
export async function queueMail(boss: PgBoss, tx: Tx, job: MailJob): Promise<void> {
  await boss.send(MAIL_QUEUE, job, { db: fromKysely(tx) });
}

/** Starts this node's workers. */
export async function startWorkers(
  boss: PgBoss,
  work: { mail(job: MailJob): Promise<void>; housekeeping(): Promise<void> },
): Promise<void> {
  await boss.work<MailJob>(MAIL_QUEUE, { pollingIntervalSeconds: 2 }, async ([job]) => {
    if (job) await work.mail(job.data);
  });
  await boss.work(HOUSEKEEPING_QUEUE, { pollingIntervalSeconds: 60 }, () => work.housekeeping());
  await boss.schedule(HOUSEKEEPING_QUEUE, "17 * * * *");
}
