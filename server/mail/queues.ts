import type { PgBoss } from "pg-boss";
import { MAILS_AT_ONCE } from "../config.ts";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_AN_HOUR } from "../jobs.ts";

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
  | { kind: "gold_granted"; grant_id: string; extended: boolean }
  // `providers`: where memberships are cancelled because of it.
  | { kind: "gold_ended"; psychologist_id: string; reason: string; providers: string[] }
  | { kind: "payment_mismatch"; subscription_id: string }
  // It has no user id: the author is looked up when it is composed. `mail_id` distinguishes a retry from another mail.
  | { kind: "answer_came"; consultation_id: string; mail_id: string }
  // `decided_at`: it is sent only while that decision is in force. Jobs of an older version have none.
  | { kind: "psychologist_approved"; psychologist_id: string; decided_at?: string }
  | { kind: "psychologist_rejected"; psychologist_id: string; decided_at?: string; reason: string | null };

export type MailKind = MailJob["kind"];

export const MAIL_QUEUE = "mail";
export const MAILS = defineQueue<MailJob>(MAIL_QUEUE, {
  // About a day of trying before a person has to look.
  retryLimit: 30,
  ...RETRY_UP_TO_AN_HOUR,
  expireInSeconds: 120,
  retentionSeconds: 30 * 86400,
  deleteAfterSeconds: 7 * 86400,
  // Workers are notified at once: a user waits for this mail with the page open.
  notify: true,
});

/**
 * Priority of mails: those with a link that a user waits for, shorter-lived links before longer ones, then all others
 * (docs/decisions/0010). Each class has its own workers, so that a flood in one delays no other.
 */
const URGENCY: Record<MailKind, number> = {
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
  gold_granted: 0,
  gold_ended: 0,
  payment_mismatch: 0,
  account_deleted: 0,
  // No one waits for it.
  answer_came: -10,
};

/**
 * Mails that anyone's request can cause are sent at a pace that all nodes share, each kind at its own: a burst, then one
 * every so many `seconds`. The excess waits, for at most the `longest` number of seconds; beyond that the queue retries
 * later. Their workers send nothing else, so that delays no other mail.
 */
export const MAIL_PACE = {
  kinds: ["recover_password", "confirm_registration", "confirm_email_change"] as readonly MailKind[],
  burst: 1_000,
  seconds: 0.5,
  longest: 30,
} as const;

export const MAIL_CLASSES = [
  { minPriority: 30 },
  { minPriority: 20, maxPriority: 29 },
  { maxPriority: 19 },
] as const satisfies { minPriority?: number; maxPriority?: number }[];
/** Per class: two workers that share its connections, so that one slow mail delays only its own worker. */
export const MAIL_WORKERS = { localConcurrency: 2, batchSize: MAILS_AT_ONCE / MAIL_CLASSES.length / 2 } as const;

/**
 * Queues a mail in the transaction that causes it: rolled back with it, never lost after it.
 * @param options the id of its job, how long it waits, and how long its job is kept once it is done
 */
export async function queueMail(
  boss: PgBoss,
  tx: Tx,
  job: MailJob,
  options: { id?: string; afterSeconds?: number; keptSeconds?: number } = {},
): Promise<void> {
  await queueJob(boss, tx, MAILS, job, {
    priority: URGENCY[job.kind],
    ...(options.id ? { id: options.id } : {}),
    ...(options.afterSeconds ? { startAfter: options.afterSeconds } : {}),
    ...(options.keptSeconds ? { deleteAfterSeconds: options.keptSeconds } : {}),
  });
}
