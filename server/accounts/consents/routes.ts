import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api, done } from "../../sessions/operations.ts";
import { refreshSession } from "../refresh-session.ts";
import { setConsent } from "./commands.ts";

const { accounts } = api;

export const consentsRoutes = {
  setConsent: accounts.setConsent
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await setConsent(request, session, input.kind, input.given);
      await refreshSession(request);
      return done;
    }),
};
