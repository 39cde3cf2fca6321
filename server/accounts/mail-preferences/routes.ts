import { AppError } from "#shared/errors.ts";
import { api } from "../../sessions/operations.ts";
import { hashToken } from "../../tokens.ts";
import { disableMails } from "./store.ts";

const { accounts } = api;

export const mailPreferencesRoutes = {
  // No rate limit: the token is unguessable, and mail services send requests of many users from a few IPs.
  unsubscribe: accounts.unsubscribe.handler(async ({ context: { db }, input }) => {
    if (!(await disableMails(db, hashToken(input.token)))) throw new AppError("link_expired");
  }),
};
