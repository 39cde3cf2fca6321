import { AppError } from "#shared/errors.ts";
import { api } from "../sessions/operations.ts";
import { demoMails } from "./store.ts";

export const demoRoutes = api.demo.router({
  /** Only for the machine itself, because the mails contain links that open accounts. */
  mails: api.demo.mails.handler(async ({ context: { request, config, db } }) => {
    if (!config.demo || !request.isLocal) throw new AppError("not_found");
    return demoMails(db);
  }),
});
