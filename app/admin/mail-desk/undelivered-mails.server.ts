import type { Decide } from "#app/admin/decisions.server.ts";

export const retryMail: Decide = async ({ admin }, { id, version }) => {
  await admin.retryMail({ id, version });
  return "mail_retried";
};
