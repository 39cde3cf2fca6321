import { rateLimit, requireRecentSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { queueLink } from "../mailed-link-store.ts";
import { refreshSession } from "../refresh-session.ts";
import { changePassword, recoverPassword } from "./commands.ts";

const { accounts } = api;

export const recoveryRoutes = {
  requestRecovery: accounts.requestRecovery
    .use(rateLimit("mail_request"))
    .handler(async ({ context: { request, db }, input }) => {
      await db.transaction().execute((tx) => queueLink(tx, request.context, "recover", input.email));
    }),

  recover: accounts.recover.handler(async ({ context: { request }, input }) => {
    await recoverPassword(request, input);
    request.session = null;
  }),

  changePassword: accounts.changePassword
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await changePassword(request, session, input);
      return refreshSession(request);
    }),
};
