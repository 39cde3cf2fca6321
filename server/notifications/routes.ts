import { AppError } from "#shared/errors.ts";
import { api } from "../routes.ts";
import { keptMails } from "./store.ts";

export const demoRoutes = api.demo.router({
  /** Kept mails hold links that open accounts: they are for the machine itself, in the demo alone. */
  mails: api.demo.mails.handler(async ({ context: { request, config, db } }) => {
    if (!config.demo || !request.sentHere) throw new AppError("not_found");
    const rows = await keptMails(db);
    return rows.map(({ id, recipient, subject, text, created_at }) => ({
      id,
      to: recipient,
      subject,
      text,
      created_at: created_at.toISOString(),
    }));
  }),
});
