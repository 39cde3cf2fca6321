import { CONSENT_VERSION } from "#shared/consents.ts";
import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { giveConsents, withdrawConsent } from "./store.ts";

const { accounts } = api;

export const consentsRoutes = {
  setConsent: accounts.setConsent
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { viewer, db, now }, input: { kind, given } }) => {
      if (given) await giveConsents(db, viewer.id, [kind], CONSENT_VERSION, now());
      else await withdrawConsent(db, viewer.id, kind, now());
    }),
};
