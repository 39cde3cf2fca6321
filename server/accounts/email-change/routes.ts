import { rateLimit, requireRecentSignIn, requireSignIn } from "../../sessions/guards.ts";
import { accepted, api, done } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import {
  applyEmailLink,
  cancelEmailChange,
  pendingEmailLink,
  requestEmailChange,
  resendEmailChange,
} from "./commands.ts";

const { accounts } = api;

export const emailChangeRoutes = {
  changeEmail: accounts.changeEmail
    .use(requireRecentSignIn)
    .use(rateLimit("change_email"))
    .handler(async ({ context: { request, session }, input }) => {
      await requestEmailChange(request, session, input.email);
      return accepted;
    }),

  resendEmailChange: accounts.resendEmailChange
    .use(requireSignIn())
    .use(rateLimit("change_email"))
    .handler(async ({ context: { request, session } }) => {
      await resendEmailChange(request, session);
      return accepted;
    }),

  cancelEmailChange: accounts.cancelEmailChange
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session } }) => {
      await cancelEmailChange(request, session);
      return done;
    }),

  emailLink: accounts.emailLink.handler(({ context: { request }, input }) => pendingEmailLink(request, input.token)),

  applyEmailLink: accounts.applyEmailLink.handler(async ({ context: { request }, input }) => {
    const purpose = await applyEmailLink(request, input.token);
    await refreshSession(request);
    return { purpose };
  }),
};
