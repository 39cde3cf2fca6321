import type { Decide } from "#app/admin/decisions.server.ts";

/** Tries to send a mail again. */
export const retryMail: Decide = async ({ admin }, { id, version }) => {
  await admin.retryMail({ id, version });
  return "mail_retried";
};
