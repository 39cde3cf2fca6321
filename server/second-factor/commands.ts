import { AppError } from "#shared/errors.ts";
import { beginSession, raiseSession, type Session } from "../accounts/sessions.ts";
import { deleteSession, deleteSessions } from "../accounts/store.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import { queueMail } from "../jobs.ts";
import type { Request } from "../request.ts";
import { forgetChallenge, resolveChallenge } from "./challenges.ts";
import { hashRecoveryCode, newRecoveryCodes, newSecret, openSecret, sealSecret, stepOf } from "./codes.ts";
import { digitsOf, whyCannotConfirm } from "./rules.ts";
import {
  confirmFactor,
  deleteFactor,
  forgetSecondFactorOfSessions,
  lockFactor,
  putFactor,
  replaceRecoveryCodes,
  spendStep,
  takeChallenge,
  takeRecoveryCode,
} from "./store.ts";

const wrongCode = () =>
  new AppError("invalid_input", {
    fields: { code: "Ese código no sirve. Escribe el que muestra tu aplicación ahora; cada uno sirve una sola vez." },
  });

/** Guesses at codes are counted apart from those at passwords. */
const throttleKey = (accountId: string) => `second factor:${accountId}`;

/** Makes a secret that counts from its first right code on. @throws AppError second_factor_on */
export async function beginSecondFactor({ context }: Request, { viewer }: Session): Promise<void> {
  const { db, config, now } = context;
  const secret = sealSecret(config.secret, viewer.id, newSecret());
  if (!(await putFactor(db, { account_id: viewer.id, secret, created_at: now() })))
    throw new AppError("second_factor_on");
}

async function renewCodes(tx: Tx, { config }: Context, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    accountId,
    codes.map((code) => hashRecoveryCode(config.secret, accountId, code)),
  );
  return codes;
}

/**
 * Turns the second factor on with its first code. Every other session ends, since none of them has given one.
 * @returns the recovery codes, which are shown this once
 * @throws AppError second_factor_on, second_factor_not_begun, too_many_requests, invalid_input when the code is wrong
 */
export async function confirmSecondFactor(request: Request, session: Session, code: string): Promise<string[]> {
  const { context } = request;
  const { db, boss, config, now, rateLimits } = context;
  const { viewer } = session;
  await rateLimits.tryPassword(throttleKey(viewer.id));
  const at = now();
  const codes = await db.transaction().execute(async (tx) => {
    const factor = await lockFactor(tx, viewer.id);
    const refusal = whyCannotConfirm(factor, at);
    if (refusal) throw new AppError(refusal);
    const secret = openSecret(config.secret, viewer.id, factor!.secret);
    const digits = digitsOf(code);
    const step = secret && digits ? stepOf(secret, digits, at) : null;
    if (step === null) throw wrongCode();
    await confirmFactor(tx, viewer.id, step, at);
    const made = await renewCodes(tx, context, viewer.id);
    await deleteSessions(tx, viewer.id, session.id);
    await raiseSession(tx, request, session, at, { secondFactorAt: at });
    await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "on" });
    return made;
  });
  await rateLimits.rightPassword(throttleKey(viewer.id));
  return codes;
}

/** Turns the second factor off; without one nothing changes. */
export async function removeSecondFactor({ context }: Request, { viewer }: Session): Promise<void> {
  const { db, boss } = context;
  await db.transaction().execute(async (tx) => {
    const confirmed = (await lockFactor(tx, viewer.id))?.confirmed_at;
    if (!(await deleteFactor(tx, viewer.id)) || !confirmed) return;
    await forgetSecondFactorOfSessions(tx, viewer.id);
    await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "off" });
  });
}

/** Makes new recovery codes; the older ones serve no more. @throws AppError second_factor_not_begun when it is off */
export async function renewRecoveryCodes({ context }: Request, { viewer }: Session): Promise<string[]> {
  return context.db.transaction().execute(async (tx) => {
    if (!(await lockFactor(tx, viewer.id))?.confirmed_at) throw new AppError("second_factor_not_begun");
    const codes = await renewCodes(tx, context, viewer.id);
    await queueMail(context.boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "codes" });
    return codes;
  });
}

/**
 * The second step of signing in: a code of the application, or a recovery code. Each serves once, whoever sends it how
 * often at the same time. @throws AppError second_factor_expired, invalid_input beside the field, too_many_requests
 */
export async function signInWithCode(request: Request, typed: string): Promise<void> {
  const { context, cookies } = request;
  const { db, boss, config, now, log, rateLimits } = context;
  const challenge = await resolveChallenge(context, cookies);
  if (!challenge) throw new AppError("second_factor_expired");
  const { accountId } = challenge;
  await rateLimits.tryPassword(throttleKey(accountId));
  const at = now();
  const digits = digitsOf(typed);
  await db.transaction().execute(async (tx) => {
    const factor = await lockFactor(tx, accountId);
    if (!factor?.confirmed_at) throw new AppError("second_factor_expired");
    if (digits) {
      const secret = openSecret(config.secret, accountId, factor.secret);
      // The application's secret was changed: only recovery codes made since could help.
      if (!secret) log.error({ event: "second_factor_unreadable" });
      const step = secret ? stepOf(secret, digits, at) : null;
      if (step === null || !(await spendStep(tx, accountId, step))) throw wrongCode();
    } else if (await takeRecoveryCode(tx, accountId, hashRecoveryCode(config.secret, accountId, typed)))
      await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: accountId, change: "code_used" });
    else throw wrongCode();
    if (!(await takeChallenge(tx, challenge.id))) throw new AppError("second_factor_expired");
    if (request.session) await deleteSession(tx, request.session.id);
    await beginSession(tx, request, accountId, at, { passwordAt: challenge.passwordAt, secondFactorAt: at });
  });
  await rateLimits.rightPassword(throttleKey(accountId));
  forgetChallenge(cookies);
}
