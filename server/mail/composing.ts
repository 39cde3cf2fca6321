/** How features say what their mails contain, and for whom, when the job of a mail runs. */
import type { Context } from "../context.ts";
import type { MailContent } from "./layout.tsx";
import type { MailJob, MailKind } from "./queues.ts";

/** A mail with its recipient. */
export type ComposedMail = {
  to: { name: string; address: string };
  content: MailContent;
  /** Asked once more before it leaves, since it may have waited for its slot. */
  isWanted?(): Promise<boolean>;
  /** Called when it was sent. */
  sent?(): Promise<unknown>;
  /** Called when it was not sent, whatever the reason. Without the error, which may contain the mailbox. */
  failed?(): Promise<unknown>;
};

/** Composes the mail of a job, or null when its subject is gone meanwhile. */
type Composer<Kind extends MailKind> = (
  context: Context,
  job: Extract<MailJob, { kind: Kind }>,
) => Promise<ComposedMail | null>;

/** A composer for each of these kinds of mails; `server/background.ts` has one for every kind there is. */
export type Composers<Kind extends MailKind = MailKind> = { [Each in Kind]: Composer<Each> };

/** The address of a page. Links in mails use the configured origin, never a request's. */
export const link = (context: Context, path: string): string => new URL(path, context.config.publicUrl).href;

/** A mail to a user, whose name it may contain. */
export const mailTo = (person: { full_name: string; email: string }, content: MailContent): ComposedMail => ({
  to: { name: person.full_name, address: person.email },
  content,
});

/** A mail to a mailbox that may not be the user's, or that others read: without a name. */
export const mailToAddress = (address: string, content: MailContent): ComposedMail => ({
  to: { name: "", address },
  content,
});
