import type { SecondFactorView } from "#shared/second-factor.ts";
import type { Context } from "../../context.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { isPasswordRecent } from "../../sessions/rules.ts";
import type { Session } from "../../sessions/viewer.ts";
import { refreshSession } from "../refresh-session.ts";
import { decryptSecret, otpauthUri, qrPath } from "./codes.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  signInWithCode,
} from "./commands.ts";
import { isSetupPending } from "./rules.ts";
import { countRecoveryCodes, factorOf } from "./store.ts";

/** The state of the user's own second factor. Shows the secret during setup if the password was given recently. */
async function read({ db, config, now }: Context, { viewer, passwordAt }: Session): Promise<SecondFactorView> {
  const factor = await factorOf(db, viewer.id);
  if (factor?.confirmed_at)
    return {
      state: "on",
      since: factor.confirmed_at.toISOString(),
      recovery_codes_left: await countRecoveryCodes(db, viewer.id),
      setup: null,
    };
  const waits = factor && isSetupPending(factor, now()) && isPasswordRecent(passwordAt, now());
  const secret = waits ? decryptSecret(config.secret, viewer.id, factor.secret) : null;
  const address = secret && otpauthUri(secret, viewer.email);
  return {
    state: address ? "being_set_up" : "off",
    since: null,
    recovery_codes_left: 0,
    setup: secret && address ? { secret, address, qr: qrPath(address) } : null,
  };
}

const { secondFactor } = api;

export const secondFactorRoutes = secondFactor.router({
  read: secondFactor.read
    .use(requireSignIn())
    .handler(({ context: { request, session } }) => read(request.context, session)),

  begin: secondFactor.begin
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session } }) => {
      await beginSecondFactor(request, session);
      return read(request.context, session);
    }),

  confirm: secondFactor.confirm
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      const recovery_codes = await confirmSecondFactor(request, session, input.code);
      await refreshSession(request);
      return { recovery_codes };
    }),

  remove: secondFactor.remove
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(({ context: { request, session } }) => removeSecondFactor(request, session)),

  renewCodes: secondFactor.renewCodes
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session } }) => ({
      recovery_codes: await renewRecoveryCodes(request, session),
    })),

  signIn: secondFactor.signIn.handler(async ({ context: { request }, input }) => {
    await signInWithCode(request, input.code);
    return refreshSession(request);
  }),
});
