import { sendMail } from "#server/background.ts";
import type { OutgoingMail } from "#server/integrations/smtp.ts";
import { MAIL_QUEUE, type MailJob } from "#server/mail/queues.ts";
import type { TestApp } from "./app.ts";

/** Collects mails in memory. They are not stored in the database, so tests can search it for secrets. */
export function openMailbox() {
  const sent: OutgoingMail[] = [];
  return {
    sent,
    mailer: {
      send: async (mail: OutgoingMail) => {
        sent.push(mail);
      },
      close: () => {},
    },
    /** Sends the queued mails, as the worker does. */
    async deliver(app: TestApp): Promise<void> {
      for (;;) {
        const jobs = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 50 });
        if (!jobs.length) return;
        for (const job of jobs) {
          await sendMail(app.context, job.data);
          await app.context.boss.complete(MAIL_QUEUE, job.id);
        }
      }
    },
    async to(app: TestApp, address: string): Promise<OutgoingMail[]> {
      await this.deliver(app);
      return sent.filter((mail) => mail.to.address === address);
    },
  };
}

type QueuedMail = { id: string; state: string; retry_count: number; data: MailJob; output: unknown };
export const mailJobs = (app: TestApp) =>
  app.sql<QueuedMail>(
    "select id, state::text, retry_count, data, output from pgboss.job where name = $1 order by created_on",
    [MAIL_QUEUE],
  );

export const linkIn = (mail: OutgoingMail) => new URL(/https?:\/\/\S+\?token=\S+/.exec(mail.text)![0]);
export const tokenIn = (mail: OutgoingMail) => linkIn(mail).searchParams.get("token")!;
