import nodemailer from "nodemailer";
import { PRODUCT_NAME } from "#shared/product.ts";
import { MINUTE } from "#shared/time.ts";
import { MAILS_AT_ONCE } from "../config.ts";

/** Sends one mail. Rejects if the mail server did not accept it, so that the job is retried. */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): void };

export type OutgoingMail = {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** One-click unsubscribe URL (RFC 8058). */
  unsubscribe?: string;
};

/** A mail server's response may quote the recipient. The queue stores the error, and the administrator reads it. */
const withoutAddresses = (error: unknown) =>
  new Error((error as Error).message.replace(/[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g, "…"));

/** Timeout of one SMTP delivery, in milliseconds. The job's own timeout is twice as long. */
const LONGEST_MS = MINUTE;

/** Opens a bounded pool of connections to an SMTP relay. Recipients are objects: no part of a name can become one. */
export function openSmtp(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport(
    {
      url,
      pool: true,
      maxConnections: MAILS_AT_ONCE,
      // The server may close an idle connection once; a second time is a failure of the mail.
      maxRequeues: 1,
      idleTimeout: 30_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    },
    { disableFileAccess: true, disableUrlAccess: true },
  );
  // Each failure rejects the send of its mail. Without a listener, an error of the pool itself would end the process.
  transport.on("error", () => {});
  return {
    async send(mail: OutgoingMail): Promise<void> {
      const sending = transport.sendMail({
        from: { name: PRODUCT_NAME, address: from },
        to: { name: mail.to.name.replace(/[\r\n]+/g, " "), address: mail.to.address },
        subject: mail.subject.replace(/[\r\n]+/g, " "),
        text: mail.text,
        html: mail.html,
        headers: {
          "Auto-Submitted": "auto-generated",
          // Prepared, because nodemailer folds a long URL inside, and some mail programs do not join it again.
          ...(mail.unsubscribe && {
            "List-Unsubscribe": { prepared: true, value: `<${mail.unsubscribe}>` },
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      await sending.catch((error: unknown) => {
        throw withoutAddresses(error);
      });
    },
    close: () => transport.close(),
  };
}
