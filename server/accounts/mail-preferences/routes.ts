import { api, done } from "../../sessions/operations.ts";
import { unsubscribe } from "./commands.ts";

const { accounts } = api;

export const mailPreferencesRoutes = {
  // No rate limit: the token is unguessable, and mail services send requests of many users from a few IPs.
  unsubscribe: accounts.unsubscribe.handler(async ({ context: { request }, input }) => {
    await unsubscribe(request.context, input.token);
    return done;
  }),
};
