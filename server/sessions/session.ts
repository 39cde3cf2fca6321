import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { UUID_PATTERN } from "#shared/ids.ts";
import type { Context } from "../context.ts";
import { tryWrite } from "../database/faults.ts";
import type { Tx } from "../database/handles.ts";
import { hashToken, randomSecret, timingSafeEqualBytes } from "../tokens.ts";
import type { CookieJar } from "./cookies.ts";
import { deviceLabel } from "./device-label.ts";
import { addKnownDevice } from "./known-devices.ts";
import type { RequestContext } from "./request-context.ts";
import { LIFETIMES, sessionEnd } from "./rules.ts";
import {
  deleteSession,
  insertSession,
  lockAccountRow,
  replaceSession,
  sessionExists,
  sessionWithProfile,
  touchSession,
} from "./store.ts";
import type { Session, Viewer } from "./viewer.ts";

const COOKIE = "sid";
const SHAPE = new RegExp(`^(${UUID_PATTERN})\\.([\\w-]{43})$`);

declare const locked: unique symbol;
declare const verified: unique symbol;
/** An account whose row this transaction has locked: its fields stay valid until the transaction ends. */
export type LockedAccount = {
  readonly id: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  readonly [locked]: true;
};
/** A locked account that still has the compared password hash and email. */
export type VerifiedAccount = LockedAccount & { readonly [verified]: true };
/** Credentials that a password was compared with. The comparison is slow, so it happens outside the transaction. */
export type ComparedCredentials = { accountId: string; email: string; passwordHash: string };

const setCookie = (cookies: CookieJar, id: string, secret: string) =>
  cookies.set(COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.session / 1000 });

/**
 * Locks an account. Sessions, passwords, emails and second factors change only under this lock, so that the second of
 * two changes sees the first. Take it after consultations, answers and psychologists, and before all other tables of
 * accounts.
 * @returns null if it does not exist
 */
export async function lockAccount(tx: Tx, id: string): Promise<LockedAccount | null> {
  const row = await lockAccountRow(tx, id);
  return row ? ({ id, email: row.email, hasSecondFactor: row.has_second_factor } as LockedAccount) : null;
}

/** @throws AppError invalid_credentials if the compared credentials changed or the account was deleted */
export async function lockVerifiedAccount(
  tx: Tx,
  { accountId, email, passwordHash }: ComparedCredentials,
): Promise<VerifiedAccount> {
  const row = await lockAccountRow(tx, accountId);
  if (!row || row.password_hash !== passwordHash || row.email !== email) throw new AppError("invalid_credentials");
  return { id: accountId, email: row.email, hasSecondFactor: row.has_second_factor } as VerifiedAccount;
}

/** @throws AppError sign_in_required if the session ended */
export async function lockOwnAccount(tx: Tx, { id, viewer }: Session): Promise<LockedAccount> {
  const account = await lockAccount(tx, viewer.id);
  if (!account || !(await sessionExists(tx, id, viewer.id))) throw new AppError("sign_in_required");
  return account;
}

/** Creates a session with a new secret, sets its cookie and makes the browser known. The database has only hashes. */
export async function createSession(
  tx: Tx,
  request: RequestContext,
  account: VerifiedAccount,
  now: Date,
  { passwordAt, secondFactorAt = null }: { passwordAt: Date | null; secondFactorAt?: Date | null },
): Promise<void> {
  if (account.hasSecondFactor && !secondFactorAt) throw new Error("A session needs the code of the second factor.");
  const id = randomUUID();
  const secret = randomSecret();
  await insertSession(tx, {
    id,
    account_id: account.id,
    secret_hash: hashToken(secret),
    created_at: now,
    seen_at: now,
    expires_at: new Date(now.getTime() + LIFETIMES.session),
    device: deviceLabel(request.userAgent),
    password_at: passwordAt,
    second_factor_at: secondFactorAt,
  });
  await addKnownDevice(tx, request, account.id, now);
  setCookie(request.cookies, id, secret);
}

/**
 * Gives a session a new id and secret, because it has more rights from now on: a copy of the old cookie is useless. Its
 * start and expiry stay.
 * @param _account required so that the account is locked
 * @param given the factors that were just given; omitted ones stay
 * @throws AppError sign_in_required if the session ended
 */
export async function rotateSession(
  tx: Tx,
  { cookies }: RequestContext,
  _account: LockedAccount,
  session: Session,
  now: Date,
  given: { passwordAt?: Date | null; secondFactorAt?: Date | null },
): Promise<void> {
  const id = randomUUID();
  const secret = randomSecret();
  const found = await replaceSession(tx, session.id, {
    id,
    secret_hash: hashToken(secret),
    seen_at: now,
    password_at: given.passwordAt === undefined ? session.passwordAt : given.passwordAt,
    second_factor_at: given.secondFactorAt === undefined ? session.secondFactorAt : given.secondFactorAt,
  });
  if (!found) throw new AppError("sign_in_required");
  setCookie(cookies, id, secret);
}

/**
 * Returns the session of a request, or null. Clears an invalid cookie.
 *
 * Reading continues if the database refuses writes, for example because its disk is full.
 */
export async function resolveSession(context: Context, cookies: CookieJar): Promise<Session | null> {
  const cookie = cookies.get(COOKIE);
  if (cookie === undefined) return null;
  const [, id, secret] = SHAPE.exec(cookie) ?? [];
  const now = context.now();
  const row = id && secret ? await sessionWithProfile(context.db, id, now).executeTakeFirst() : undefined;
  // Only a confirmed account has the email (specification, section 6).
  const admin = row?.email === context.config.adminEmail;
  if (!row || !secret || !timingSafeEqualBytes(row.secret_hash, hashToken(secret)) || sessionEnd(row, admin) <= now) {
    cookies.clear(COOKIE);
    if (row && sessionEnd(row, admin) <= now) await tryWrite(context.log, deleteSession(context.db, row.session_id));
    return null;
  }
  const stale = now.getTime() - row.seen_at.getTime() > LIFETIMES.sessionSeen;
  const touched = stale && (await tryWrite(context.log, touchSession(context.db, row.session_id, now)));
  const { session_id, secret_hash, created_at, seen_at, expires_at, password_at, second_factor_at, ...profile } = row;
  return {
    id: session_id,
    endsAt: sessionEnd({ created_at, seen_at: touched ? now : seen_at, expires_at }, admin),
    passwordAt: password_at,
    secondFactorAt: second_factor_at,
    viewer: {
      ...profile,
      user_type: profile.user_type as Viewer["user_type"],
      is_admin: admin,
      is_verified: profile.is_verified ?? false,
      second_factor: second_factor_at !== null,
      free_responses_used: profile.free_responses_used ?? 0,
      max_free_responses: profile.max_free_responses ?? 0,
    },
  };
}

export const clearSessionCookie = (cookies: CookieJar) => cookies.clear(COOKIE);
