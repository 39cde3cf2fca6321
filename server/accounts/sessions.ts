import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db, Tx } from "../db.ts";
import type { Cookies } from "../request.ts";
import { isAdmin, LIFETIMES, sessionEnd, type Viewer } from "./rules.ts";
import { deleteSession, insertSession, sessionWithPerson, touchSession } from "./store.ts";
import { hashToken, randomSecret, sameBytes } from "./tokens.ts";

export type Session = { id: string; viewer: Viewer; avatar_url: string | null; endsAt: Date };

const COOKIE = "sid";
const SHAPE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([\w-]{43})$/;

/** Begins a session with a new secret and sets its cookie. The database keeps the secret's hash alone. */
export async function beginSession(tx: Db | Tx, accountId: string, now: Date, cookies: Cookies): Promise<string> {
  const id = randomUUID();
  const secret = randomSecret();
  await insertSession(tx, {
    id,
    account_id: accountId,
    secret_hash: hashToken(secret),
    created_at: now,
    seen_at: now,
    expires_at: new Date(now.getTime() + LIFETIMES.session),
  });
  cookies.set(COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.session / 1000 });
  return id;
}

/** The session of a request, or null. A cookie that leads nowhere is removed from the browser. */
export async function resolveSession(context: Context, cookies: Cookies): Promise<Session | null> {
  const cookie = cookies.get(COOKIE);
  if (cookie === undefined) return null;
  const [, id, secret] = SHAPE.exec(cookie) ?? [];
  const now = context.now();
  const row = id && secret ? await sessionWithPerson(context.db, id, now) : undefined;
  if (!row || !secret || !sameBytes(row.secret_hash, hashToken(secret)) || sessionEnd(row) <= now) {
    cookies.clear(COOKIE);
    if (row && sessionEnd(row) <= now) await deleteSession(context.db, row.session_id);
    return null;
  }
  const stale = now.getTime() - row.seen_at.getTime() > LIFETIMES.sessionSeen;
  if (stale) await touchSession(context.db, row.session_id, now);
  return {
    id: row.session_id,
    avatar_url: row.avatar_url,
    endsAt: sessionEnd({ seen_at: stale ? now : row.seen_at, expires_at: row.expires_at }),
    viewer: {
      id: row.id,
      full_name: row.full_name,
      email: row.email,
      user_type: row.user_type as Viewer["user_type"],
      is_admin: isAdmin(row.email, context.config.adminEmail),
      is_verified: row.is_verified ?? false,
      has_gold: row.has_gold,
      free_responses_used: row.free_responses_used ?? 0,
      max_free_responses: row.max_free_responses ?? 0,
    },
  };
}

export const forgetSession = (cookies: Cookies) => cookies.clear(COOKIE);
