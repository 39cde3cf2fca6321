import type { PgBoss, SendOptions } from "pg-boss";
import { MAILS_AT_ONCE } from "../config.ts";
import type { Tx } from "../database/handles.ts";
import { defineQueue, queueJob, RETRY_UP_TO_HALF_AN_HOUR } from "../jobs.ts";

/** A mail to be composed and sent. Contains no email and no user's text: the job looks them up when it sends it. */
export type MailJob =
  // `mail_id` distinguishes mails about the same subject; the first has none.
  | { kind: "confirm_registration"; registration_id: string; mail_id?: string }
  | { kind: "recover_password"; link_id: string }
  | { kind: "sign_in_paused"; link_id: string }
  | { kind: "password_changed"; profile_id: string }
  | { kind: "confirm_email_change"; change_id: string; mail_id: string }
  | { kind: "email_changed"; change_id: string }
  | { kind: "account_deleted"; deleted_account_email_id: string }
  | { kind: "second_factor_changed"; profile_id: string; change: "on" | "off" | "codes" | "code_used" }
  | { kind: "membership_receipt"; subscription_id: string; payment_id: string }
  | { kind: "membership_cancelled"; subscription_id: string }
  | { kind: "gold_granted"; grant_id: string; extended: boolean }
  // `providers` where memberships are cancelled because of it.
  | { kind: "gold_ended"; psychologist_id: string; reason: string; providers: string[] }
  | { kind: "payment_mismatch"; subscription_id: string }
  // Has no user id: the author is looked up when the mail is composed. `mail_id` distinguishes a retry from another
  // mail.
  | { kind: "new_answer"; consultation_id: string; mail_id: string }
  // Consultations between the two times.
  | { kind: "digest"; profile_id: string; since: string; until: string }
  // Sent only while the decision of `decided_at` is in force.
  | { kind: "psychologist_approved"; psychologist_id: string; decided_at: string }
  | { kind: "psychologist_rejected"; psychologist_id: string; decided_at: string; reason: string | null };

export type MailKind = MailJob["kind"];

export const MAIL_QUEUE = "mail";
export const MAILS = defineQueue<MailJob>(MAIL_QUEUE, {
  // Retries for about a day before the administrator must act.
  retryLimit: 60,
  ...RETRY_UP_TO_HALF_AN_HOUR,
  expireInSeconds: 120,
  retentionSeconds: 30 * 86400,
  deleteAfterSeconds: 7 * 86400,
});

/**
 * Priority of mails: urgent links first, shorter-lived before longer ones, then all others (docs/decisions/0010). Each
 * class has its own workers, so that many mails of one delay no other.
 */
const MAIL_PRIORITY: Partial<Record<MailKind, number>> = {
  recover_password: 30,
  confirm_registration: 20,
  confirm_email_change: 20,
  sign_in_paused: 15,
  email_changed: 10,
  second_factor_changed: 5,
  password_changed: 5,
  // No user waits for it.
  new_answer: -10,
  digest: -10,
};

/**
 * Pace of mails that any visitor's request can cause, shared by all nodes, per kind: a burst, then one per `seconds`.
 * Further mails wait for at most `longest` seconds, or else are retried. Their workers send nothing else, so they delay
 * no other mail.
 */
export const MAIL_THROTTLE = {
  kinds: ["recover_password", "confirm_registration", "confirm_email_change"] as readonly MailKind[],
  burst: 1_000,
  seconds: 0.5,
  longest: 30,
} as const;

export const MAIL_CLASSES = [{ minPriority: 30 }, { minPriority: 20, maxPriority: 29 }, { maxPriority: 19 }] as const;
/** Per class: two workers that share its connections, so that one slow mail delays only its own worker. */
export const MAIL_WORKERS = { localConcurrency: 2, batchSize: MAILS_AT_ONCE / MAIL_CLASSES.length / 2 } as const;

/**
 * Queues a mail in the transaction that causes it; with null at once.
 * @param options `startAfter` is its delay in seconds
 */
export async function queueMail(
  boss: PgBoss,
  tx: Tx | null,
  job: MailJob,
  options: Pick<SendOptions, "id" | "startAfter" | "deleteAfterSeconds"> = {},
): Promise<void> {
  await queueJob(boss, tx, MAILS, job, { priority: MAIL_PRIORITY[job.kind] ?? 0, ...options });
}
