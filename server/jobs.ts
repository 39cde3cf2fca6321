import { randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { fromKysely, type Job, type PgBoss } from "pg-boss";
import { LIMITS } from "#shared/limits.ts";
import type { Tx } from "./database/handles.ts";

/** A mail to be composed and sent. It has only ids: address and text are looked up when it is sent. */
export type MailJob =
  // `mail_id` distinguishes mails about one thing; the first has none.
  | { kind: "confirm_registration"; registration_id: string; mail_id?: string }
  | { kind: "recover_password"; recovery_id: string }
  | { kind: "sign_in_paused"; link_id: string }
  | { kind: "password_changed"; profile_id: string }
  | { kind: "confirm_email_change"; change_id: string; mail_id?: string }
  | { kind: "email_changed"; change_id: string }
  | { kind: "account_deleted"; farewell_id: string }
  | { kind: "second_factor_changed"; profile_id: string; change: "on" | "off" | "codes" | "code_used" }
  | { kind: "membership_receipt"; subscription_id: string; payment_id: string }
  // It has no user id: the author is looked up when it is composed. `mail_id` distinguishes a retry from another mail.
  | { kind: "answer_came"; consultation_id: string; mail_id: string }
  // `decided_at`: it is sent only while that decision is in force. Jobs of an older version have none.
  | { kind: "psychologist_approved"; psychologist_id: string; decided_at?: string }
  | { kind: "psychologist_rejected"; psychologist_id: string; decided_at?: string; reason: string | null };

export const MAIL_QUEUE = "mail";

/**
 * Priority of mails: those with a link that a user waits for, shorter-lived links before longer ones, then all others
 * (docs/decisions/0028). Each class has its own workers, so that a flood in one delays no other.
 */
const URGENCY: Record<MailJob["kind"], number> = {
  recover_password: 30,
  confirm_registration: 20,
  confirm_email_change: 20,
  sign_in_paused: 15,
  email_changed: 10,
  second_factor_changed: 5,
  password_changed: 5,
  psychologist_approved: 0,
  psychologist_rejected: 0,
  membership_receipt: 0,
  account_deleted: 0,
  // No one waits for it.
  answer_came: -10,
};
/**
 * Mails that anyone's request can cause are sent at a pace that all nodes share, each kind at its own: a burst, then one
 * every so many seconds. The excess waits. Their workers send nothing else, so that delays no other mail.
 */
export const MAIL_PACE = {
  kinds: ["recover_password", "confirm_registration", "confirm_email_change"] as readonly MailJob["kind"][],
  burst: 1_000,
  seconds: 0.5,
  longest: 30,
} as const;
const MAIL_CLASSES = [
  { minPriority: 30 },
  { minPriority: 20, maxPriority: 29 },
  { maxPriority: 19 },
] as const satisfies { minPriority?: number; maxPriority?: number }[];
/** Per class: two workers with five mails each, so that one slow mail delays only its own worker. */
const MAIL_WORKERS = { localConcurrency: 2, batchSize: 5 } as const;
/** How many mails this node sends at once, at most. */
export const MAILS_AT_ONCE = MAIL_CLASSES.length * MAIL_WORKERS.localConcurrency * MAIL_WORKERS.batchSize;
const HOUSEKEEPING_QUEUE = "housekeeping";
const FILES_QUEUE = "unused-files";
const PAYMENT_SWEEP_QUEUE = "payment-sweep";
const CANCELLATIONS_QUEUE = "cancellations";
const ANONYMISED_TEXTS_QUEUE = "loose-texts";
const REMOVALS_QUEUE = "removals";

/**
 * When the effects of a decision happen: once it can no longer be undone, and a second later, since clocks of nodes differ.
 */
export const AFTER_UNDO_SECONDS = LIMITS.undoSeconds + 1;

/** A membership that ended here and must be cancelled at its payment provider. */
export type CancellationJob = { subscription_id: string };

/** A removal by the administrator that can no longer be undone: its stored rows are deleted. */
export type RemovalJob = { decision_id: string };

/** A file that may be unused: it is removed unless a profile names it. */
export type UnusedFileJob = { key: string };

/** Creates the queues; idempotent. */
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
    // Workers are notified at once: a user waits for this mail with the page open.
    notify: true,
  });
  await boss.createQueue(FILES_QUEUE, {
    retryLimit: 20,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 120,
  });
  // Housekeeping deletes what is left after that.
  await boss.createQueue(REMOVALS_QUEUE, {
    retryLimit: 20,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 60,
    deleteAfterSeconds: 3600,
  });
  // The next one comes anyway. The job names no text: each text has its own time in its row.
  await boss.createQueue(ANONYMISED_TEXTS_QUEUE, { retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 3600 });
  await boss.createQueue(HOUSEKEEPING_QUEUE, { retryLimit: 2, expireInSeconds: 300 });
  // The next one comes anyway.
  await boss.createQueue(PAYMENT_SWEEP_QUEUE, { retryLimit: 0, expireInSeconds: 540 });
  // About a day; after that the sweep keeps retrying, and the administrator sees it.
  await boss.createQueue(CANCELLATIONS_QUEUE, {
    retryLimit: 30,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 240,
    notify: true,
  });
}

/** Queues a mail in the transaction that causes it: rolled back with it, never lost after it. */
export async function queueMail(
  boss: PgBoss,
  tx: Tx,
  job: MailJob,
  when: { id?: string; afterSeconds?: number; keptSeconds?: number } = {},
): Promise<void> {
  await boss.send(MAIL_QUEUE, job, {
    db: fromKysely(tx),
    priority: URGENCY[job.kind],
    ...(when.id ? { id: when.id } : {}),
    ...(when.afterSeconds ? { startAfter: when.afterSeconds } : {}),
    ...(when.keptSeconds ? { deleteAfterSeconds: when.keptSeconds } : {}),
  });
}

/**
 * Cancels a mail that has not been sent: of this and a worker that fetches it at the same moment exactly one gets the row.
 * @param tried also cancels one that waits for its next try: it may have arrived
 * @returns whether it was still queued
 */
export async function cancelQueuedMail(tx: Tx, id: string, { tried = false } = {}): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from pgboss.job where name = ${MAIL_QUEUE} and id = ${id}::uuid
    and state in ('created', ${tried ? "retry" : "created"})`.execute(tx);
  return numAffectedRows === 1n;
}

/** Queues the deletion of a removal's stored rows, in the transaction of the removal. */
export async function queueRemoval(boss: PgBoss, tx: Tx, decisionId: string): Promise<void> {
  const job: RemovalJob = { decision_id: decisionId };
  await boss.send(REMOVALS_QUEUE, job, { db: fromKysely(tx), startAfter: AFTER_UNDO_SECONDS });
}

/**
 * When the mail about an answer is sent: after a random delay, so that its time does not reveal which answer it is about.
 */
const ANSWER_MAIL_SECONDS = { least: 60, most: 30 * 60, kept: 3600 } as const;

/**
 * Queues the mail about an answer, whether or not the author wants one: the request takes as long and leaves the same
 * traces either way. The job decides. @param atOnce for the demo, where people wait to see it
 */
export const queueAnswerMail = (boss: PgBoss, tx: Tx, consultationId: string, atOnce: boolean): Promise<void> =>
  queueMail(
    boss,
    tx,
    { kind: "answer_came", consultation_id: consultationId, mail_id: randomUUID() },
    {
      afterSeconds: atOnce ? 0 : randomInt(ANSWER_MAIL_SECONDS.least, ANSWER_MAIL_SECONDS.most),
      keptSeconds: ANSWER_MAIL_SECONDS.kept,
    },
  );

/**
 * Queues the removal of a file: in the transaction that makes it unused, or before an upload in case its transaction fails.
 */
export async function queueFileRemoval(boss: PgBoss, key: string, when: { tx: Tx } | { afterSeconds: number }) {
  await boss.send(
    FILES_QUEUE,
    { key } satisfies UnusedFileJob,
    "tx" in when ? { db: fromKysely(when.tx) } : { startAfter: when.afterSeconds },
  );
}

/** Queues a cancellation at the payment provider, in the transaction that ends the membership. */
export async function queueCancellation(boss: PgBoss, tx: Tx, subscriptionId: string): Promise<void> {
  const job: CancellationJob = { subscription_id: subscriptionId };
  await boss.send(CANCELLATIONS_QUEUE, job, { db: fromKysely(tx) });
}

/**
 * Sends the mails of one batch concurrently. Each job is completed as soon as its mail is sent: a failure retries no other,
 * and a crash resends only what was in flight. The batch completes each again, which changes nothing unless that statement
 * failed.
 */
async function sendMails(boss: PgBoss, jobs: Job<MailJob>[], send: (job: MailJob) => Promise<void>) {
  return Promise.all(
    jobs.map(async (job) => {
      try {
        await send(job.data);
      } catch (error) {
        await boss.fail(MAIL_QUEUE, { id: job.id, retryCount: job.retryCount }, error as Error).catch(() => {});
        return { id: job.id, status: "failed" as const, output: error };
      }
      await boss.complete(MAIL_QUEUE, { id: job.id, retryCount: job.retryCount }).catch(() => {});
      return { id: job.id, status: "completed" as const };
    }),
  );
}

/** Starts this node's workers. */
export async function startWorkers(
  boss: PgBoss,
  work: {
    mail(job: MailJob): Promise<void>;
    housekeeping(): Promise<void>;
    unusedFile(job: UnusedFileJob): Promise<void>;
    anonymisedTexts(): Promise<void>;
    paymentSweep(): Promise<void>;
    cancellation(job: CancellationJob): Promise<void>;
    removal(job: RemovalJob): Promise<void>;
  },
): Promise<void> {
  const mailWorkers = {
    ...MAIL_WORKERS,
    burstWhenBatchFull: true,
    perJobResults: true,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
  } as const;
  for (const urgency of MAIL_CLASSES)
    await boss.work(MAIL_QUEUE, { ...mailWorkers, ...urgency }, (jobs: Job<MailJob>[]) =>
      sendMails(boss, jobs, work.mail),
    );
  await boss.work<UnusedFileJob>(FILES_QUEUE, { pollingIntervalSeconds: 2 }, async ([job]) => {
    if (job) await work.unusedFile(job.data);
  });
  await boss.work<RemovalJob>(REMOVALS_QUEUE, { pollingIntervalSeconds: 5 }, async ([job]) => {
    if (job) await work.removal(job.data);
  });
  await boss.work(ANONYMISED_TEXTS_QUEUE, { pollingIntervalSeconds: 30 }, () => work.anonymisedTexts());
  // Every minute: two texts with random times are hardly ever deleted in the same run.
  await boss.schedule(ANONYMISED_TEXTS_QUEUE, "* * * * *");
  await boss.work(HOUSEKEEPING_QUEUE, { pollingIntervalSeconds: 60 }, () => work.housekeeping());
  await boss.schedule(HOUSEKEEPING_QUEUE, "17 * * * *");
  // A batch: a failure retries all of it, and those already confirmed finish at once.
  const some = { batchSize: 10, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
  await boss.work<CancellationJob>(CANCELLATIONS_QUEUE, some, async (jobs) => {
    await Promise.all(jobs.map((job) => work.cancellation(job.data)));
  });
  await boss.work(PAYMENT_SWEEP_QUEUE, { pollingIntervalSeconds: 5 }, () => work.paymentSweep());
  await boss.schedule(PAYMENT_SWEEP_QUEUE, "*/10 * * * *");
}
