import { rateLimit, requireRecentSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { changePassword, recoverPassword, requestRecovery } from "./commands.ts";

const { accounts } = api;

export const recoveryRoutes = {
  requestRecovery: accounts.requestRecovery
    .use(rateLimit("mail_request"))
    .handler(async ({ context: { request }, input }) => {
      await requestRecovery(request, input.email);
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
