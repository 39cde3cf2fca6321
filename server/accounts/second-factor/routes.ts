import { AppError } from "#shared/errors.ts";
import type { SecondFactorView } from "#shared/second-factor.ts";
import { HOUR } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../../sessions/guards.ts";
import { findKnownDevice } from "../../sessions/known-devices.ts";
import { api } from "../../sessions/operations.ts";
import { isPasswordRecent } from "../../sessions/rules.ts";
import { createSession, lockOwnAccount, lockVerifiedAccount, rotateSession } from "../../sessions/session.ts";
import { deleteSession, deleteSessions } from "../../sessions/store.ts";
import type { Session } from "../../sessions/viewer.ts";
import { refreshSession } from "../refresh-session.ts";
import { countAttempt } from "../sign-in/attempts.ts";
import { CHALLENGE_COOKIE, consumeChallenge, resolveChallenge } from "./challenge-store.ts";
import {
  decryptSecret,
  encryptSecret,
  hashRecoveryCode,
  newRecoveryCodes,
  newSecret,
  otpauthUri,
  qrPath,
  totpStep,
} from "./codes.ts";
import {
  clearSecondFactorOfSessions,
  confirmFactor,
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  deleteFactor,
  factorOf,
  lockFactor,
  replaceRecoveryCodes,
  upsertFactor,
} from "./store.ts";

/** Time in which a shown secret must get its first code, in milliseconds. The user may first install an application. */
const SETUP_LIFETIME = HOUR;

/** True if a secret that is not confirmed waits for its first code. */
const isSetupPending = (factor: { created_at: Date } | undefined, now: Date) =>
  factor !== undefined && now.getTime() - factor.created_at.getTime() < SETUP_LIFETIME;

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

/** Returns the typed text as six digits, or null if it may be a recovery code. */
const totpDigits = (typed: string): string | null => {
  const bare = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(bare) ? bare : null;
};

const wrongCode = () =>
  new AppError("invalid_input", {
    fields: { code: "Ese código no sirve. Escribe el que muestra tu aplicación ahora; cada uno sirve una sola vez." },
  });

/** Replaces the recovery codes, which are shown only now, and queues the mail about it. */
async function renewCodes(tx: Tx, { boss, config }: Context, profile_id: string, change: "on" | "codes") {
  const recovery_codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    profile_id,
    recovery_codes.map((code) => hashRecoveryCode(config.secret, profile_id, code)),
  );
  await queueMail(boss, tx, { kind: "second_factor_changed", profile_id, change });
  return { recovery_codes };
}

const { secondFactor } = api;
const sensitive = secondFactor.use(requireRecentSignIn).use(rateLimit("account"));

export const secondFactorRoutes = secondFactor.router({
  read: secondFactor.read
    .use(requireSignIn())
    .handler(({ context: { request, session } }) => read(request.context, session)),

  // Creates a secret, which becomes active with its first right code.
  begin: sensitive.begin.handler(async ({ context: { request, session, viewer, db, config, now } }) => {
    const secret = encryptSecret(config.secret, viewer.id, newSecret());
    await db.transaction().execute(async (tx) => {
      await lockOwnAccount(tx, session);
      if (!(await upsertFactor(tx, { account_id: viewer.id, secret, created_at: now() })))
        throw new AppError("second_factor_already_enabled");
    });
    return read(request.context, session);
  }),

  // Ends all other sessions, because none of them gave a code.
  confirm: sensitive.confirm.handler(async ({ context: { request, session, viewer, db, config, now }, input }) => {
    await countAttempt(request, "code", { device: session.id });
    const at = now();
    const codes = await db.transaction().execute(async (tx) => {
      const account = await lockOwnAccount(tx, session);
      const factor = await lockFactor(tx, viewer.id);
      if (factor?.confirmed_at) throw new AppError("second_factor_already_enabled");
      if (!factor || !isSetupPending(factor, at)) throw new AppError("second_factor_not_set_up");
      const secret = decryptSecret(config.secret, viewer.id, factor.secret);
      const digits = totpDigits(input.code);
      const step = secret && digits ? totpStep(secret, digits, at) : null;
      if (step === null) throw wrongCode();
      await confirmFactor(tx, viewer.id, step, at);
      await deleteSessions(tx, account, session.id);
      const made = await renewCodes(tx, request.context, viewer.id, "on");
      // Last, because it sets a cookie that a rollback would not take back.
      await rotateSession(tx, request, account, session, at, { secondFactorAt: at });
      return made;
    });
    await refreshSession(request);
    return codes;
  }),

  // Idempotent.
  remove: sensitive.remove.handler(({ context: { session, viewer, db, boss } }) =>
    db.transaction().execute(async (tx) => {
      await lockOwnAccount(tx, session);
      const confirmed = (await lockFactor(tx, viewer.id))?.confirmed_at;
      await deleteFactor(tx, viewer.id);
      if (!confirmed) return;
      await clearSecondFactorOfSessions(tx, viewer.id);
      await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "off" });
    }),
  ),

  renewCodes: sensitive.renewCodes.handler(({ context: { request, session, viewer, db } }) =>
    db.transaction().execute(async (tx) => {
      await lockOwnAccount(tx, session);
      if (!(await lockFactor(tx, viewer.id))?.confirmed_at) throw new AppError("second_factor_not_set_up");
      return renewCodes(tx, request.context, viewer.id, "codes");
    }),
  ),

  // Accepts a code of the application or a recovery code. Each works once, even for concurrent requests.
  signIn: secondFactor.signIn.handler(async ({ context: { request, db, boss, config, now, log }, input }) => {
    const challenge = await resolveChallenge(request.context, request.cookies);
    if (!challenge) throw new AppError("second_factor_expired");
    const { accountId, email } = challenge.compared;
    const device = await findKnownDevice(db, request, accountId);
    await countAttempt(request, "code", device ? { device } : { email });
    const at = now();
    const digits = totpDigits(input.code);
    await db.transaction().execute(async (tx) => {
      const account = await lockVerifiedAccount(tx, challenge.compared);
      const factor = await lockFactor(tx, accountId);
      if (!factor?.confirmed_at) throw new AppError("second_factor_expired");
      if (digits) {
        const secret = decryptSecret(config.secret, accountId, factor.secret);
        // The application's secret was changed. Only recovery codes created since then work.
        if (!secret) log.error({ event: "second_factor_unreadable" });
        const step = secret ? totpStep(secret, digits, at) : null;
        if (step === null || !(await consumeStep(tx, accountId, step))) throw wrongCode();
      } else {
        const hash = hashRecoveryCode(config.secret, accountId, input.code);
        if (!(await consumeRecoveryCode(tx, accountId, hash))) throw wrongCode();
        await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: accountId, change: "code_used" });
      }
      if (!(await consumeChallenge(tx, challenge.id))) throw new AppError("second_factor_expired");
      if (request.session) await deleteSession(tx, request.session.id);
      await createSession(tx, request, account, at, { passwordAt: challenge.passwordAt, secondFactorAt: at });
    });
    request.cookies.clear(CHALLENGE_COOKIE);
    return refreshSession(request);
  }),
});
