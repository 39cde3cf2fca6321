import { AppError } from "#shared/errors.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { applyEmailLink, pendingEmailLink, requestEmailChange, resendEmailChange } from "./commands.ts";
import { deletePendingEmailChange } from "./store.ts";

const { accounts } = api;

export const emailChangeRoutes = {
  changeEmail: accounts.changeEmail
    .use(requireRecentSignIn)
    .use(rateLimit("change_email"))
    .handler(({ context: { request, session }, input }) => requestEmailChange(request, session, input.email)),

  resendEmailChange: accounts.resendEmailChange
    .use(requireSignIn())
    .use(rateLimit("change_email"))
    .handler(({ context: { request, session } }) => resendEmailChange(request, session)),

  cancelEmailChange: accounts.cancelEmailChange
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { viewer, db } }) => {
      if (!(await deletePendingEmailChange(db, viewer.id))) throw new AppError("not_found");
    }),

  emailLink: accounts.emailLink.handler(({ context: { request }, input }) => pendingEmailLink(request, input.token)),

  applyEmailLink: accounts.applyEmailLink.handler(async ({ context: { request }, input }) => {
    const purpose = await applyEmailLink(request, input.token);
    await refreshSession(request);
    return { purpose };
  }),
};
