import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Db, Row, Tx } from "../database/handles.ts";
import type { LockedAccount } from "./session.ts";

/**
 * Locks an account's row, then reads the data that signing in depends on.
 *
 * Two statements: one statement that waits for the lock would join rows from before the wait.
 * @returns undefined if the account does not exist
 */
export async function lockAccountRow(tx: Tx, id: string) {
  const account = await tx
    .selectFrom("accounts")
    .select(["id", "password_hash"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) return undefined;
  const { email, confirmed_at } = await tx
    .selectFrom("profiles")
    .leftJoin("second_factors", "second_factors.account_id", "profiles.id")
    .select(["profiles.email", "second_factors.confirmed_at"])
    .where("profiles.id", "=", id)
    .executeTakeFirstOrThrow();
  return { ...account, email, has_second_factor: confirmed_at !== null };
}

export const insertSession = (tx: Tx, row: Row<"sessions">) => tx.insertInto("sessions").values(row).execute();

/** @returns false if the session does not exist */
export const replaceSession = async (
  tx: Tx,
  id: string,
  row: { id: string; secret_hash: Buffer; seen_at: Date; password_at: Date | null; second_factor_at: Date | null },
) => (await tx.updateTable("sessions").set(row).where("id", "=", id).executeTakeFirst()).numUpdatedRows === 1n;

/** Returns a user's own sessions: the current one, then the most recently used. */
export const sessionsOf = (db: Db, accountId: string, currentId: string) =>
  db
    .selectFrom("sessions")
    .select(["id", "device", "created_at", "seen_at", "expires_at"])
    .where("account_id", "=", accountId)
    .orderBy(sql`id = ${currentId}`, "desc")
    .orderBy("seen_at", "desc")
    .orderBy("id")
    .limit(LIMITS.sessionsShown)
    .execute();

/** @returns false if the user has no session with this id */
export const deleteOwnSession = async (db: Db, accountId: string, id: string) =>
  (await db.deleteFrom("sessions").where("id", "=", id).where("account_id", "=", accountId).executeTakeFirst())
    .numDeletedRows === 1n;

/**
 * True if Gold lasts beyond a time; false for a user who never had it or is not a psychologist.
 * @param table name or alias of the table with `gold_until`
 */
export const hasActiveGold = (table: string, now: Date) =>
  sql<boolean>`coalesce(${sql.ref(`${table}.gold_until`)} > ${now}, false)`;

/** True if a user (`profiles`) withdrew a consent and has not given it again. */
export const consentWithdrawn = sql<boolean>`exists (select from consents withdrawn where withdrawn.profile_id = profiles.id and withdrawn.withdrawn_at is not null
        and not exists (select from consents given where given.profile_id = profiles.id and given.kind = withdrawn.kind and given.withdrawn_at is null))`;

export const sessionWithProfile = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("sessions")
    .innerJoin("profiles", "profiles.id", "sessions.account_id")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .leftJoin("psychologist_profiles", "psychologist_profiles.id", "profiles.id")
    .leftJoin("mail_preferences", "mail_preferences.profile_id", "profiles.id")
    .select([
      "sessions.id as session_id",
      "sessions.secret_hash",
      "sessions.created_at",
      "sessions.seen_at",
      "sessions.expires_at",
      "sessions.password_at",
      "sessions.second_factor_at",
      "profiles.id",
      "profiles.full_name",
      "profiles.email",
      "profiles.avatar_url",
      "profiles.user_type",
      "psychologist_profiles.is_verified",
      "psychologist_profiles.free_responses_used",
      "psychologist_profiles.max_free_responses",
    ])
    .select(hasActiveGold("psychologist_profiles", now).as("has_gold"))
    .select(consentWithdrawn.as("consent_withdrawn"))
    .select(sql<boolean>`coalesce(mail_preferences.answers, true)`.as("notify_on_answers"))
    .select(
      sql<number>`(select coalesce(sum(answers_received - answers_listed), 0) from consultations
        where user_id = profiles.id and answers_received > answers_listed)::integer`.as("new_answers"),
    )
    .select(
      sql<number>`(select count(*) from (select from notifications
        where profile_id = profiles.id and notifications.created_at > accounts.notifications_seen_at
          and news_at between accounts.notifications_seen_at and 'infinity'
        limit ${LIMITS.notificationsCounted}) as unseen)::integer`.as("new_notifications"),
    )
    .where("sessions.id", "=", id);

export const touchSession = (db: Db, id: string, now: Date) =>
  db.updateTable("sessions").set({ seen_at: now }).where("id", "=", id).execute();

export const deleteSession = (db: Db | Tx, id: string) => db.deleteFrom("sessions").where("id", "=", id).execute();

export const sessionExists = async (tx: Tx, id: string, accountId: string) =>
  (await tx.selectFrom("sessions").where("id", "=", id).where("account_id", "=", accountId).executeTakeFirst()) !==
  undefined;

/** Deletes sessions and pending second-factor challenges. */
export async function deleteSessions(tx: Tx, account: LockedAccount, except?: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("account_id", "=", account.id).execute();
  const all = tx.deleteFrom("sessions").where("account_id", "=", account.id);
  await (except ? all.where("id", "<>", except) : all).execute();
}

export const knownDevice = (db: Db, accountId: string, marks: Buffer[]) =>
  db
    .selectFrom("known_devices")
    .select("device_hash")
    .where("account_id", "=", accountId)
    .where(sql<boolean>`device_hash = any(${marks})`)
    .limit(1)
    .executeTakeFirst();

/** Inserts a known device as the newest of its account. Call it with the account locked. */
export const insertDevice = (tx: Tx, row: { account_id: string; device_hash: Buffer; last_day: string }) =>
  tx
    .insertInto("known_devices")
    .values((eb) => ({
      ...row,
      position: eb
        .selectFrom("known_devices")
        .select(sql<number>`coalesce(max(position), 0) + 1`.as("next"))
        .where("account_id", "=", row.account_id),
    }))
    .execute();

/** @returns the deleted marks */
export const deleteDevices = (tx: Tx, accountId: string, marks: Buffer[]) =>
  tx
    .deleteFrom("known_devices")
    .where("account_id", "=", accountId)
    .where(sql<boolean>`device_hash = any(${marks})`)
    .returning("device_hash")
    .execute();

export const deleteDevicesExcept = (tx: Tx, accountId: string, marks: Buffer[]) =>
  tx
    .deleteFrom("known_devices")
    .where("account_id", "=", accountId)
    .where(sql<boolean>`device_hash <> all(${marks})`)
    .execute();

/** Deletes all known devices of an account except the `keep` with the latest sign-ins. */
export const deleteOldestDevices = (tx: Tx, accountId: string, keep: number) =>
  tx
    .deleteFrom("known_devices")
    .where("account_id", "=", accountId)
    .where("device_hash", "in", (devices) =>
      devices
        .selectFrom("known_devices")
        .select("device_hash")
        .where("account_id", "=", accountId)
        .orderBy("position", "desc")
        .offset(keep),
    )
    .execute();
