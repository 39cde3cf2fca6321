import nodemailer from "nodemailer";
import { PRODUCT_NAME } from "#shared/product.ts";

type Mail = { to: { name: string; address: string }; subject: string; text: string; html: string };

/** What a mail server answers may quote the recipient; the queue keeps the error and the administrator reads it. */
const withoutAddresses = (error: unknown) =>
  new Error((error as Error).message.replace(/[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g, "…"));

/** A connection to an SMTP relay. Addresses travel as objects, so that nothing in a name can become another recipient. */
export function openSmtp(url: string, from: string) {
  const transport = nodemailer.createTransport(url, { disableFileAccess: true, disableUrlAccess: true } as never);
  return {
    async send(mail: Mail): Promise<void> {
      const sending = transport.sendMail({
        from: { name: PRODUCT_NAME, address: from },
        to: { name: mail.to.name.replace(/[\r\n]+/g, " "), address: mail.to.address },
        subject: mail.subject.replace(/[\r\n]+/g, " "),
        text: mail.text,
        html: mail.html,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await sending.catch((error: unknown) => {
        throw withoutAddresses(error);
      });
    },
    close: () => transport.close(),
  };
}
