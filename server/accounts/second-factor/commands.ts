import { AppError, assertAllowed } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { findKnownDevice } from "../../sessions/known-devices.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { createSession, lockOwnAccount, lockVerifiedAccount, rotateSession } from "../../sessions/session.ts";
import { deleteSession, deleteSessions } from "../../sessions/store.ts";
import type { Session } from "../../sessions/viewer.ts";
import { countAttempt } from "../sign-in/attempts.ts";
import { clearChallengeCookie, resolveChallenge } from "./challenges.ts";
import { decryptSecret, encryptSecret, hashRecoveryCode, newRecoveryCodes, newSecret, totpStep } from "./codes.ts";
import { totpDigits, whyCannotConfirm } from "./rules.ts";
import {
  clearSecondFactorOfSessions,
  confirmFactor,
  consumeChallenge,
  consumeRecoveryCode,
  consumeStep,
  deleteFactor,
  lockFactor,
  replaceRecoveryCodes,
  upsertFactor,
} from "./store.ts";

const wrongCode = () =>
  new AppError("invalid_input", {
    fields: { code: "Ese código no sirve. Escribe el que muestra tu aplicación ahora; cada uno sirve una sola vez." },
  });

/**
 * Creates a secret, which becomes active with its first right code.
 * @throws AppError second_factor_already_enabled
 */
export async function beginSecondFactor({ context }: RequestContext, session: Session): Promise<void> {
  const { db, config, now } = context;
  const { id } = session.viewer;
  const secret = encryptSecret(config.secret, id, newSecret());
  await db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, session);
    if (!(await upsertFactor(tx, { account_id: id, secret, created_at: now() })))
      throw new AppError("second_factor_already_enabled");
  });
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
 * Turns the second factor on with its first code. Ends all other sessions, because none of them gave a code.
 * @returns the recovery codes, which are shown only now
 * @throws AppError second_factor_already_enabled, second_factor_not_set_up, too_many_requests
 * @throws AppError invalid_input if the code is wrong
 */
export async function confirmSecondFactor(request: RequestContext, session: Session, code: string): Promise<string[]> {
  const { context } = request;
  const { db, boss, config, now } = context;
  const { viewer } = session;
  await countAttempt(request, "code", { device: session.id });
  const at = now();
  return db.transaction().execute(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    const factor = await lockFactor(tx, viewer.id);
    assertAllowed(whyCannotConfirm(factor, at));
    const secret = decryptSecret(config.secret, viewer.id, factor!.secret);
    const digits = totpDigits(code);
    const step = secret && digits ? totpStep(secret, digits, at) : null;
    if (step === null) throw wrongCode();
    await confirmFactor(tx, viewer.id, step, at);
    const made = await renewCodes(tx, context, viewer.id);
    await deleteSessions(tx, account, session.id);
    await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "on" });
    // Last, because it sets a cookie that a rollback would not take back.
    await rotateSession(tx, request, account, session, at, { secondFactorAt: at });
    return made;
  });
}

/** Turns the second factor off. Idempotent. */
export async function removeSecondFactor({ context }: RequestContext, session: Session): Promise<void> {
  const { db, boss } = context;
  const { viewer } = session;
  await db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, session);
    const confirmed = (await lockFactor(tx, viewer.id))?.confirmed_at;
    if (!(await deleteFactor(tx, viewer.id)) || !confirmed) return;
    await clearSecondFactorOfSessions(tx, viewer.id);
    await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "off" });
  });
}

/**
 * Creates new recovery codes and invalidates the old ones.
 * @throws AppError second_factor_not_set_up if it is off
 */
export async function renewRecoveryCodes({ context }: RequestContext, session: Session): Promise<string[]> {
  const { viewer } = session;
  return context.db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, session);
    if (!(await lockFactor(tx, viewer.id))?.confirmed_at) throw new AppError("second_factor_not_set_up");
    const codes = await renewCodes(tx, context, viewer.id);
    await queueMail(context.boss, tx, { kind: "second_factor_changed", profile_id: viewer.id, change: "codes" });
    return codes;
  });
}

/**
 * Completes a sign-in with a code of the application or a recovery code. Each code works once, even for concurrent
 * requests.
 * @throws AppError second_factor_expired
 * @throws AppError invalid_input with an error at the field
 * @throws AppError sign_in_paused, too_many_requests
 */
export async function signInWithCode(request: RequestContext, typed: string): Promise<void> {
  const { context, cookies } = request;
  const { db, boss, config, now, log } = context;
  const challenge = await resolveChallenge(context, cookies);
  if (!challenge) throw new AppError("second_factor_expired");
  const { accountId, email } = challenge.compared;
  const device = await findKnownDevice(db, request, accountId);
  await countAttempt(request, "code", device ? { device } : { email });
  const at = now();
  const digits = totpDigits(typed);
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
    } else if (await consumeRecoveryCode(tx, accountId, hashRecoveryCode(config.secret, accountId, typed)))
      await queueMail(boss, tx, { kind: "second_factor_changed", profile_id: accountId, change: "code_used" });
    else throw wrongCode();
    if (!(await consumeChallenge(tx, challenge.id))) throw new AppError("second_factor_expired");
    if (request.session) await deleteSession(tx, request.session.id);
    await createSession(tx, request, account, at, { passwordAt: challenge.passwordAt, secondFactorAt: at });
  });
  clearChallengeCookie(cookies);
}
