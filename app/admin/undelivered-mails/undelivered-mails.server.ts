import type { DecisionHandler } from "#app/admin/decisions.server.ts";

export const retryMail: DecisionHandler = async ({ admin }, { id, version }) => {
  await admin.retryMail({ id, version });
  return "mail_retried";
};
