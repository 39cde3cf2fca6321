import { randomUUID } from "node:crypto";
import { UUID_PATTERN } from "#shared/ids.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { CookieJar } from "../../sessions/cookies.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import type { ComparedCredentials, VerifiedAccount } from "../../sessions/session.ts";
import { hashToken, randomSecret, timingSafeEqualBytes } from "../../tokens.ts";
import { challengeById, insertChallenge } from "./store.ts";

/** State between the right password and the code; not signed in yet. */
export type Challenge = { id: string; compared: ComparedCredentials; passwordAt: Date };

const COOKIE = "challenge";
const SHAPE = new RegExp(`^(${UUID_PATTERN})\\.([\\w-]{43})$`);

/** Stores in this browser that the password of an account was right. */
export async function createChallenge(tx: Tx, cookies: CookieJar, account: VerifiedAccount, now: Date): Promise<void> {
  const id = randomUUID();
  const secret = randomSecret();
  const expires_at = new Date(now.getTime() + LIFETIMES.challenge);
  await insertChallenge(tx, { id, account_id: account.id, secret_hash: hashToken(secret), expires_at });
  cookies.set(COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.challenge / 1000 });
}

/**
 * Returns the challenge of this browser.
 * @returns null if the user gave no password here within `LIFETIMES.challenge`
 */
export async function resolveChallenge({ db, now }: Context, cookies: CookieJar): Promise<Challenge | null> {
  const [, id, secret] = SHAPE.exec(cookies.get(COOKIE) ?? "") ?? [];
  const row = id && secret ? await challengeById(db, id, now()) : undefined;
  if (!row || !timingSafeEqualBytes(row.secret_hash, hashToken(secret!))) return null;
  return {
    id: row.id,
    // A password change deletes the challenge, so this is still the compared hash.
    compared: { accountId: row.account_id, email: row.email, passwordHash: row.password_hash },
    passwordAt: new Date(row.expires_at.getTime() - LIFETIMES.challenge),
  };
}

export const clearChallengeCookie = (cookies: CookieJar) => cookies.clear(COOKIE);
