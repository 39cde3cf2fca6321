import type { Context } from "../context.ts";
import type { MailContent } from "./layout.tsx";
import type { MailJob, MailKind } from "./queues.ts";

export type ComposedMail = {
  to: { name: string; address: string };
  content: MailContent;
  onSent?(): Promise<unknown>;
  /** Called after any failure of the mail. Without the error, which may contain the mailbox. */
  onFailed?(): Promise<unknown>;
};

/** @returns null if the mail's subject was deleted */
type Composer<Kind extends MailKind> = (
  context: Context,
  job: Extract<MailJob, { kind: Kind }>,
) => Promise<ComposedMail | null>;

/** A composer per kind of mail; `server/background.ts` has one for every kind. */
export type Composers<Kind extends MailKind = MailKind> = { [Each in Kind]: Composer<Each> };

/** Returns the URL of a page for a mail. Uses the configured origin, never a request's. */
export const link = (context: Context, path: string): string => new URL(path, context.config.publicUrl).href;

type Letter = Omit<MailContent, "paragraphs" | "action"> & {
  paragraphs: readonly (string | false)[];
  action: readonly [label: string, path: string];
};

/**
 * Creates a mail that begins with a greeting.
 * @param to a user, or a mailbox without a name: it may not be the user's, or other people read it
 */
export function letter(
  context: Context,
  to: { full_name: string; email: string } | string,
  { paragraphs, action: [label, path], ...rest }: Letter,
): ComposedMail {
  const isMailbox = typeof to === "string";
  const greeting = isMailbox ? "Hola:" : `Hola, ${to.full_name}:`;
  return {
    to: isMailbox ? { name: "", address: to } : { name: to.full_name, address: to.email },
    content: {
      ...rest,
      paragraphs: [greeting, ...paragraphs.filter((text) => text !== false)],
      action: { label, url: link(context, path) },
    },
  };
}
