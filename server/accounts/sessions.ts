import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../db.ts";
import type { Cookies, Request } from "../request.ts";
import { deviceWords } from "./device.ts";
import { isAdmin, LIFETIMES, sessionEnd, type Viewer } from "./rules.ts";
import { deleteSession, insertSession, replaceSession, sessionWithPerson, touchSession } from "./store.ts";
import { hashToken, randomSecret, sameBytes } from "./tokens.ts";

export type Session = {
  id: string;
  viewer: Viewer;
  avatar_url: string | null;
  endsAt: Date;
  /** When the password was last given in this session. */
  passwordAt: Date | null;
  /** When a code of the second factor was given in this session. */
  secondFactorAt: Date | null;
};

const COOKIE = "sid";
const SHAPE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([\w-]{43})$/;

type Asker = Pick<Request, "cookies" | "userAgent">;
/** What somebody has shown by now to be who they are. */
type Shown = { passwordAt: Date | null; secondFactorAt?: Date | null };

const setCookie = (cookies: Cookies, id: string, secret: string) =>
  cookies.set(COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.session / 1000 });

/** Begins a session with a new secret and sets its cookie. The database keeps the secret's hash alone. */
export async function beginSession(
  tx: Db | Tx,
  { cookies, userAgent }: Asker,
  accountId: string,
  now: Date,
  { passwordAt, secondFactorAt = null }: Shown,
): Promise<string> {
  const id = randomUUID();
  const secret = randomSecret();
  await insertSession(tx, {
    id,
    account_id: accountId,
    secret_hash: hashToken(secret),
    created_at: now,
    seen_at: now,
    expires_at: new Date(now.getTime() + LIFETIMES.session),
    device: deviceWords(userAgent),
    password_at: passwordAt,
    second_factor_at: secondFactorAt,
  });
  setCookie(cookies, id, secret);
  return id;
}

/**
 * Goes on with a session under a new id and a new secret, because it may do more from now on: what somebody knew of the old
 * one is worth nothing. When it began stays, and so does when it must end.
 * @throws AppError sign_in_required when it was ended meanwhile
 */
export async function raiseSession(
  tx: Db | Tx,
  { cookies }: Asker,
  session: Session,
  now: Date,
  shown: Partial<Shown>,
): Promise<string> {
  const id = randomUUID();
  const secret = randomSecret();
  const found = await replaceSession(tx, session.id, {
    id,
    secret_hash: hashToken(secret),
    seen_at: now,
    password_at: shown.passwordAt === undefined ? session.passwordAt : shown.passwordAt,
    second_factor_at: shown.secondFactorAt === undefined ? session.secondFactorAt : shown.secondFactorAt,
  });
  if (!found) throw new AppError("sign_in_required");
  setCookie(cookies, id, secret);
  return id;
}

/** The session of a request, or null. A cookie that leads nowhere is removed from the browser. */
export async function resolveSession(context: Context, cookies: Cookies): Promise<Session | null> {
  const cookie = cookies.get(COOKIE);
  if (cookie === undefined) return null;
  const [, id, secret] = SHAPE.exec(cookie) ?? [];
  const now = context.now();
  const row = id && secret ? await sessionWithPerson(context.db, id, now) : undefined;
  const admin = row !== undefined && isAdmin(row.email, context.config.adminEmail);
  if (!row || !secret || !sameBytes(row.secret_hash, hashToken(secret)) || sessionEnd(row, admin) <= now) {
    cookies.clear(COOKIE);
    if (row && sessionEnd(row, admin) <= now) await deleteSession(context.db, row.session_id);
    return null;
  }
  const stale = now.getTime() - row.seen_at.getTime() > LIFETIMES.sessionSeen;
  if (stale) await touchSession(context.db, row.session_id, now);
  return {
    id: row.session_id,
    avatar_url: row.avatar_url,
    endsAt: sessionEnd(stale ? { ...row, seen_at: now } : row, admin),
    passwordAt: row.password_at,
    secondFactorAt: row.second_factor_at,
    viewer: {
      id: row.id,
      full_name: row.full_name,
      email: row.email,
      user_type: row.user_type as Viewer["user_type"],
      is_admin: admin,
      is_verified: row.is_verified ?? false,
      consent_withdrawn: row.consent_withdrawn,
      has_gold: row.has_gold,
      free_responses_used: row.free_responses_used ?? 0,
      max_free_responses: row.max_free_responses ?? 0,
    },
  };
}

export const forgetSession = (cookies: Cookies) => cookies.clear(COOKIE);
