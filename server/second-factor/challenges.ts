import { randomUUID } from "node:crypto";
import { LIFETIMES } from "../accounts/rules.ts";
import type { Compared, VerifiedAccount } from "../accounts/sessions.ts";
import { hashToken, randomSecret, sameBytes } from "../accounts/tokens.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import type { Cookies } from "../request.ts";
import { challengeById, insertChallenge } from "./store.ts";

/** Between the right password and the code: nobody is signed in yet. */
export type Challenge = { id: string; compared: Compared; passwordAt: Date };

const COOKIE = "challenge";
const SHAPE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/;

/** Remembers in this browser that the password of an account was right. */
export async function beginChallenge(tx: Tx, cookies: Cookies, account: VerifiedAccount, now: Date): Promise<void> {
  const id = randomUUID();
  const secret = randomSecret();
  const expires_at = new Date(now.getTime() + LIFETIMES.challenge);
  await insertChallenge(tx, { id, account_id: account.id, secret_hash: hashToken(secret), expires_at });
  cookies.set(COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.challenge / 1000 });
}

/** Whose code this browser is asked for, or null when nobody's password was given here within the last minutes. */
export async function resolveChallenge({ db, now }: Context, cookies: Cookies): Promise<Challenge | null> {
  const [, id, secret] = SHAPE.exec(cookies.get(COOKIE) ?? "") ?? [];
  const row = id && secret ? await challengeById(db, id, now()) : undefined;
  if (!row || !sameBytes(row.secret_hash, hashToken(secret!))) return null;
  return {
    id: row.id,
    // A challenge ends with the password that it was begun with, so this is still that one.
    compared: { accountId: row.account_id, email: row.email, passwordHash: row.password_hash },
    passwordAt: new Date(row.expires_at.getTime() - LIFETIMES.challenge),
  };
}

export const forgetChallenge = (cookies: Cookies) => cookies.clear(COOKIE);
