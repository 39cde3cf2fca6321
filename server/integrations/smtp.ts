import nodemailer from "nodemailer";
import { PRODUCT_NAME } from "#shared/product.ts";
import { MINUTE } from "#shared/time.ts";
import { MAILS_AT_ONCE } from "../config.ts";

/** Sends one mail. Rejects when the mail server did not accept it: the job is then retried. */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): void };

export type OutgoingMail = {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** The one-click unsubscribe address (RFC 8058). */
  unsubscribe?: string;
};

/** What a mail server answers may quote the recipient; the queue keeps the error and the administrator reads it. */
const withoutAddresses = (error: unknown) =>
  new Error((error as Error).message.replace(/[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g, "…"));

/** A mail that takes longer has failed and is tried again later; the queue's own patience with a job is twice this. */
const LONGEST_MS = MINUTE;

/**
 * A bounded pool of connections to an SMTP relay. Addresses travel as objects, so that nothing in a name can become another
 * recipient.
 */
export function openSmtp(url: string, from: string, connections: number = MAILS_AT_ONCE): Mailer {
  const transport = nodemailer.createTransport(
    {
      url,
      pool: true,
      maxConnections: connections,
      // A connection that the server closed while it was idle is no failure of the mail; twice is.
      maxRequeues: 1,
      idleTimeout: 30_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    },
    { disableFileAccess: true, disableUrlAccess: true },
  );
  // Each failure reaches the mail it concerns; without a listener one of the pool itself would end the process.
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
          // Prepared: an address longer than a line is folded inside, and not every reader joins it again.
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
