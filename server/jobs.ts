import { fromKysely, type PgBoss } from "pg-boss";
import type { Tx } from "./db.ts";

/** A mail to be written and sent. It holds ids only: address and text are looked up when it is sent. */
export type MailJob =
  | { kind: "confirm_registration"; registration_id: string }
  | { kind: "recover_password"; recovery_id: string }
  | { kind: "password_changed"; profile_id: string }
  | { kind: "confirm_email_change"; change_id: string }
  | { kind: "email_changed"; change_id: string }
  | { kind: "account_deleted"; farewell_id: string }
  | { kind: "second_factor_changed"; profile_id: string; change: "on" | "off" | "codes" | "code_used" }
  | { kind: "membership_receipt"; subscription_id: string; payment_id: string }
  | { kind: "psychologist_approved"; psychologist_id: string }
  | { kind: "psychologist_rejected"; psychologist_id: string; reason: string | null };

export const MAIL_QUEUE = "mail";
const HOUSEKEEPING_QUEUE = "housekeeping";
const FILES_QUEUE = "unused-files";
const PAYMENT_SWEEP_QUEUE = "payment-sweep";
const CANCELLATIONS_QUEUE = "cancellations";
const NAMELESS_QUEUE = "nameless-texts";

/** A membership that ended here, of which its payment service has to be told. */
export type CancellationJob = { subscription_id: string };

/** Something that somebody who left wrote without a name, and wanted deleted. */
export type NamelessJob = { kind: "consultation" | "reply" | "review"; id: string };

/** A file that may be of no use any more: it is removed unless somebody's profile names it. */
export type UnusedFileJob = { key: string };

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
    // A worker is told at once; somebody waits for this mail with the page open.
    notify: true,
  });
  await boss.createQueue(FILES_QUEUE, {
    retryLimit: 20,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 120,
  });
  // Jobs of one account lie together: once done they are kept no longer than needed.
  await boss.createQueue(NAMELESS_QUEUE, {
    retryLimit: 30,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    deleteAfterSeconds: 3600,
  });
  await boss.createQueue(HOUSEKEEPING_QUEUE, { retryLimit: 2, expireInSeconds: 300 });
  // The next one comes anyway.
  await boss.createQueue(PAYMENT_SWEEP_QUEUE, { retryLimit: 0, expireInSeconds: 540 });
  // About a day; after that the sweep goes on trying, and the administrator sees it.
  await boss.createQueue(CANCELLATIONS_QUEUE, {
    retryLimit: 30,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 240,
    notify: true,
  });
}

/** Queues the deletion of a nameless text, in the transaction that unties it from who wrote it. */
export async function queueNamelessRemoval(
  boss: PgBoss,
  tx: Tx,
  job: NamelessJob,
  afterSeconds: number,
): Promise<void> {
  await boss.send(NAMELESS_QUEUE, job, { db: fromKysely(tx), startAfter: afterSeconds });
}

/** Queues a mail in the transaction of what causes it: rolled back with it, never lost after it. */
export async function queueMail(boss: PgBoss, tx: Tx, job: MailJob): Promise<void> {
  await boss.send(MAIL_QUEUE, job, { db: fromKysely(tx) });
}

/** Queues the removal of a file: in the transaction that gives it up, or beforehand for the case that no transaction comes. */
export async function queueFileRemoval(boss: PgBoss, key: string, when: { tx: Tx } | { afterSeconds: number }) {
  await boss.send(
    FILES_QUEUE,
    { key } satisfies UnusedFileJob,
    "tx" in when ? { db: fromKysely(when.tx) } : { startAfter: when.afterSeconds },
  );
}

/** Queues that a payment service is told of an end, in the transaction of that end. */
export async function queueCancellation(boss: PgBoss, tx: Tx, subscriptionId: string): Promise<void> {
  const job: CancellationJob = { subscription_id: subscriptionId };
  await boss.send(CANCELLATIONS_QUEUE, job, { db: fromKysely(tx) });
}

/** Starts this node's workers. */
export async function startWorkers(
  boss: PgBoss,
  work: {
    mail(job: MailJob): Promise<void>;
    housekeeping(): Promise<void>;
    unusedFile(job: UnusedFileJob): Promise<void>;
    nameless(job: NamelessJob): Promise<void>;
    paymentSweep(): Promise<void>;
    cancellation(job: CancellationJob): Promise<void>;
  },
): Promise<void> {
  await boss.work<MailJob>(
    MAIL_QUEUE,
    { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 },
    async ([job]) => {
      if (job) await work.mail(job.data);
    },
  );
  await boss.work<UnusedFileJob>(FILES_QUEUE, { pollingIntervalSeconds: 2 }, async ([job]) => {
    if (job) await work.unusedFile(job.data);
  });
  await boss.work<NamelessJob>(NAMELESS_QUEUE, { pollingIntervalSeconds: 30 }, async ([job]) => {
    if (job) await work.nameless(job.data);
  });
  await boss.work(HOUSEKEEPING_QUEUE, { pollingIntervalSeconds: 60 }, () => work.housekeeping());
  await boss.schedule(HOUSEKEEPING_QUEUE, "17 * * * *");
  // Some at a time: one that fails makes all of them come again, and those that were confirmed are done at once.
  const some = { batchSize: 10, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
  await boss.work<CancellationJob>(CANCELLATIONS_QUEUE, some, async (jobs) => {
    await Promise.all(jobs.map((job) => work.cancellation(job.data)));
  });
  await boss.work(PAYMENT_SWEEP_QUEUE, { pollingIntervalSeconds: 5 }, () => work.paymentSweep());
  await boss.schedule(PAYMENT_SWEEP_QUEUE, "*/10 * * * *");
}
