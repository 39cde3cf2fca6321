/** State between the right password and the code of the second factor; not signed in yet. */
import { randomUUID } from "node:crypto";
import { UUID_PATTERN } from "#shared/ids.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { CookieJar } from "../../sessions/cookies.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import type { VerifiedAccount } from "../../sessions/session.ts";
import { hashToken, randomSecret, timingSafeEqualBytes } from "../../tokens.ts";

export const CHALLENGE_COOKIE = "challenge";
const SHAPE = new RegExp(`^(${UUID_PATTERN})\\.([\\w-]{43})$`);

/** Stores in this browser that the password of an account was right. */
export async function createChallenge(tx: Tx, cookies: CookieJar, account: VerifiedAccount, now: Date): Promise<void> {
  const id = randomUUID();
  const secret = randomSecret();
  await tx
    .insertInto("sign_in_challenges")
    .values({
      id,
      account_id: account.id,
      secret_hash: hashToken(secret),
      expires_at: new Date(now.getTime() + LIFETIMES.challenge),
    })
    .execute();
  cookies.set(CHALLENGE_COOKIE, `${id}.${secret}`, { maxAge: LIFETIMES.challenge / 1000 });
}

/**
 * Returns the challenge of this browser.
 * @returns null if the user gave no password here within `LIFETIMES.challenge`
 */
export async function resolveChallenge({ db, now }: Context, cookies: CookieJar) {
  const [, id, secret] = SHAPE.exec(cookies.get(CHALLENGE_COOKIE) ?? "") ?? [];
  if (!id || !secret) return null;
  const row = await db
    .selectFrom("sign_in_challenges")
    .innerJoin("accounts", "accounts.id", "account_id")
    .innerJoin("profiles", "profiles.id", "account_id")
    .select(["account_id", "secret_hash", "expires_at", "email", "password_hash"])
    .where("sign_in_challenges.id", "=", id)
    .where("expires_at", ">", now())
    .executeTakeFirst();
  if (!row || !timingSafeEqualBytes(row.secret_hash, hashToken(secret))) return null;
  return {
    id,
    // A password change deletes the challenge, so this is still the compared hash.
    compared: { accountId: row.account_id, email: row.email, passwordHash: row.password_hash },
    passwordAt: new Date(row.expires_at.getTime() - LIFETIMES.challenge),
  };
}

/** Consumes a challenge. Exactly one of several concurrent calls gets it. */
export const consumeChallenge = (tx: Tx, id: string) =>
  tx.deleteFrom("sign_in_challenges").where("id", "=", id).returning("id").executeTakeFirst();
