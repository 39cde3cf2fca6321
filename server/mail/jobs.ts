import type { Job as BossJob, PgBoss } from "pg-boss";
import type { Context } from "../context.ts";
import type { Job } from "../jobs.ts";
import type { ComposedMail, Composers } from "./composing.ts";
import { renderMail } from "./layout.tsx";
import { MAIL_CLASSES, MAIL_QUEUE, MAIL_THROTTLE, MAIL_WORKERS, type MailJob, type MailKind } from "./queues.ts";
import { insertDemoMail, reserveMailSlot } from "./store.ts";

/**
 * Waits for a slot of a mail that any visitor's request can cause.
 * @throws Error if too many wait; the queue retries later
 */
async function waitForMailSlot({ db }: Context, kind: MailKind): Promise<void> {
  if (!MAIL_THROTTLE.kinds.includes(kind)) return;
  const wait = await reserveMailSlot(db, kind, MAIL_THROTTLE);
  if (wait === null) throw new Error("Too many mails of this kind are waiting.");
  if (wait > 0) await new Promise((go) => setTimeout(go, wait));
}

/** Sends a mail, or stores it without SMTP (demo). */
async function deliverMail({ mailer, db, config, now }: Context, { to, content }: ComposedMail): Promise<void> {
  const rendered = renderMail(content, config.publicUrl.origin);
  if (mailer) return mailer.send({ to, ...rendered });
  const { subject, text } = rendered;
  await insertDemoMail(db, { recipient: to.address, subject, text, created_at: now() });
}

/** @throws Error if the job must be retried */
export async function composeAndSend<Kind extends MailKind>(
  context: Context,
  composers: Composers<Kind>,
  job: Extract<MailJob, { kind: Kind }>,
): Promise<void> {
  const mail = await composers[job.kind as Kind](context, job);
  if (!mail) return;
  await waitForMailSlot(context, job.kind);
  await deliverMail(context, mail).catch(async (error: unknown) => {
    if (!mail.onFailed) throw error;
    await mail.onFailed();
    throw new Error("The mail could not be sent.");
  });
  await mail.onSent?.();
  context.log.info({ event: "mail_sent", kind: job.kind });
}

/**
 * Sends a mail and completes its job at once: a failure retries no other mail of the batch, and a crash resends only
 * unfinished ones. The batch completes each job again, which has an effect only if that statement failed.
 */
async function workOn({ id, retryCount, data }: BossJob<MailJob>, boss: PgBoss, send: (job: MailJob) => Promise<void>) {
  try {
    await send(data);
  } catch (error) {
    await boss.fail(MAIL_QUEUE, { id, retryCount }, error as Error).catch(() => {});
    return { id, status: "failed" as const, output: error };
  }
  await boss.complete(MAIL_QUEUE, { id, retryCount }).catch(() => {});
  return { id, status: "completed" as const };
}

/** Workers of mails, several per class. A user waits for some mails with the page open. */
export const mailJobs = (send: (context: Context, job: MailJob) => Promise<void>): Job[] =>
  MAIL_CLASSES.map((urgency) => async (context) => {
    const { boss } = context;
    const polling = { burstWhenBatchFull: true, perJobResults: true, pollingIntervalSeconds: 1 } as const;
    await boss.work(MAIL_QUEUE, { ...MAIL_WORKERS, ...urgency, ...polling }, (jobs: BossJob<MailJob>[]) =>
      Promise.all(jobs.map((job) => workOn(job, boss, (mail) => send(context, mail)))),
    );
  });
