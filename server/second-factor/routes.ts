import type { SecondFactorView } from "#shared/second-factor.ts";
import { presentSession } from "../accounts/present.ts";
import { isFresh } from "../accounts/rules.ts";
import { resolveSession } from "../accounts/sessions.ts";
import type { Request } from "../request.ts";
import { api, done, freshlySignedIn, signedIn } from "../routes.ts";
import { openSecret, otpauthAddress, qrPath } from "./codes.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  signInWithCode,
} from "./commands.ts";
import { isBeingSetUp } from "./rules.ts";
import { countRecoveryCodes, factorOf } from "./store.ts";

/** How one's own second factor stands. The secret is shown while it is set up, to whoever gave the password a moment ago. */
async function read(request: Request): Promise<SecondFactorView> {
  const { viewer, passwordAt } = signedIn(request);
  const { db, config, now } = request.context;
  const factor = await factorOf(db, viewer.id);
  if (factor?.confirmed_at)
    return {
      state: "on",
      since: factor.confirmed_at.toISOString(),
      recovery_codes_left: await countRecoveryCodes(db, viewer.id),
      setup: null,
    };
  const waits = factor && isBeingSetUp(factor, now()) && isFresh(passwordAt, now());
  const secret = waits ? openSecret(config.secret, viewer.id, factor.secret) : null;
  const address = secret && otpauthAddress(secret, viewer.email);
  return {
    state: address ? "being_set_up" : "off",
    since: null,
    recovery_codes_left: 0,
    setup: secret && address ? { secret, address, qr: qrPath(address) } : null,
  };
}

const { secondFactor } = api;

export const secondFactorRoutes = secondFactor.router({
  read: secondFactor.read.handler(({ context }) => read(context)),

  begin: secondFactor.begin.handler(async ({ context }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await beginSecondFactor(context, session);
    return read(context);
  }),

  confirm: secondFactor.confirm.handler(async ({ context, input }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    const recovery_codes = await confirmSecondFactor(context, session, input.code);
    context.session = await resolveSession(context.context, context.cookies);
    return { recovery_codes };
  }),

  remove: secondFactor.remove.handler(async ({ context }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await removeSecondFactor(context, session);
    context.session = await resolveSession(context.context, context.cookies);
    return done;
  }),

  renewCodes: secondFactor.renewCodes.handler(async ({ context }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    return { recovery_codes: await renewRecoveryCodes(context, session) };
  }),

  signIn: secondFactor.signIn.handler(async ({ context, input }) => {
    await signInWithCode(context, input.code);
    context.session = await resolveSession(context.context, context.cookies);
    return presentSession(context.session, context.context.now());
  }),
});
