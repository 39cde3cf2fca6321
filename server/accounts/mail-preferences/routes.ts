import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api, done } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { unsubscribe, updateAnswerNotifications } from "./commands.ts";

const { accounts } = api;

export const mailPreferencesRoutes = {
  setAnswerMails: accounts.setAnswerMails
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await updateAnswerNotifications(request.context, session, input.on);
      await refreshSession(request);
      return done;
    }),

  // No rate limit: the token is unguessable, and mail services send requests of many users from a few IPs.
  unsubscribe: accounts.unsubscribe.handler(async ({ context: { request }, input }) => {
    await unsubscribe(request.context, input.token);
    return done;
  }),
};
