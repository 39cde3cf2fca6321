import { sql } from "kysely";
import { AppError } from "#shared/errors.ts";
import { HOUR } from "#shared/time.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { LockedAccount } from "../sessions/session.ts";

export const profileByEmail = (db: Db | Tx, email: string) =>
  db.selectFrom("profiles").select(["id", "full_name", "email"]).where("email", "=", email).executeTakeFirst();

export const profileById = (db: Db | Tx, id: string) =>
  db.selectFrom("profiles").select(["id", "full_name", "email"]).where("id", "=", id).executeTakeFirst();

export const credentialsByEmail = (db: Db, email: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
    .select(["profiles.id", "profiles.email", "accounts.password_hash"])
    .where("profiles.email", "=", email)
    .executeTakeFirst();

/** @throws AppError sign_in_required if the account no longer exists */
export const passwordOf = (db: Db, id: string) =>
  db
    .selectFrom("accounts")
    .select(["password_hash", "password_changed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("sign_in_required"));

export const setPassword = (tx: Tx, account: LockedAccount, passwordHash: string, now: Date) =>
  tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", account.id)
    .execute();

/** Serialises decisions about mails to one mailbox. */
export const lockMailbox = (tx: Tx, mailbox: Buffer) =>
  sql`select pg_advisory_xact_lock(4802, ${mailbox.readInt32BE(0)})`.execute(tx);

/**
 * Returns how many mails of a kind were allowed to a mailbox, how many of them for one account, and whether this account
 * is included.
 */
export async function countMailboxSends(
  tx: Tx,
  { mailbox, kind, own, id, now }: { mailbox: Buffer; kind: string; own: string; id: string; now: Date },
): Promise<{ lastHour: number; lastDay: number; own: { lastHour: number; lastDay: number }; allowed: boolean }> {
  const since = (hours: number) => new Date(now.getTime() - hours * HOUR);
  const { own_hour, own_day, ...all } = await tx
    .selectFrom("mailbox_sends")
    .select([
      sql<number>`count(*) filter (where allowed_at > ${since(1)})::int`.as("lastHour"),
      sql<number>`count(*) filter (where allowed_at > ${since(24)})::int`.as("lastDay"),
      sql<number>`count(*) filter (where allowed_at > ${since(1)} and kind = ${own})::int`.as("own_hour"),
      sql<number>`count(*) filter (where allowed_at > ${since(24)} and kind = ${own})::int`.as("own_day"),
      sql<boolean>`coalesce(bool_or(id = ${id}), false)`.as("allowed"),
    ])
    .where("mailbox", "=", mailbox)
    .where(sql`split_part(kind, ':', 1)`, "=", kind)
    .executeTakeFirstOrThrow();
  return { ...all, own: { lastHour: own_hour, lastDay: own_day } };
}

export const insertMailboxSend = (tx: Tx, row: { id: string; mailbox: Buffer; kind: string; allowed_at: Date }) =>
  tx.insertInto("mailbox_sends").values(row).execute();

const LINKS = {
  recovery: "mailed_links",
  registration: "pending_registrations",
  email_change: "email_changes",
} as const;
type Linked = { kind: keyof typeof LINKS; rowId: string; email: string };

/**
 * True if a mailed link of this kind is still valid.
 *
 * Any recovery or registration of the mailbox counts. An email change belongs to one account, so only its own link
 * counts.
 */
export async function hasValidMailedLink(tx: Tx, { kind, rowId, email }: Linked, now: Date): Promise<boolean> {
  const out = tx
    .selectFrom(LINKS[kind])
    .select("id")
    .where("mailed_at", "is not", null)
    .where("expires_at", ">", now)
    .limit(1);
  const whose = kind === "email_change" ? out.where("id", "=", rowId) : out.where(sql.ref("email"), "=", email);
  return (await whose.executeTakeFirst()) !== undefined;
}

/**
 * Stores that a link is mailed. `until` is its new expiry if mailing starts its lifetime.
 * @returns false if the link expired
 */
export async function markMailed(tx: Tx, { kind, rowId }: Linked, now: Date, until: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(LINKS[kind])
    .set({ mailed_at: now, ...(until ? { expires_at: until } : {}) })
    .where("id", "=", rowId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
