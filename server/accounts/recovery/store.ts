import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";
import type { LockedAccount } from "../../sessions/session.ts";

/** Inserts a recovery. Older ones of the same email stay, because mailed links stay valid. */
export const insertRecovery = (tx: Tx, row: { id: string; email: string; token_hash: Buffer; expires_at: Date }) =>
  tx.insertInto("recovery_requests").values(row).execute();

export const deleteRecovery = (db: Db, id: string) => db.deleteFrom("recovery_requests").where("id", "=", id).execute();

export const recoveryById = (db: Db, id: string, now: Date) =>
  db.selectFrom("recovery_requests").selectAll().where("id", "=", id).where("expires_at", ">", now).executeTakeFirst();

export const recoveryByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("recovery_requests")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Consumes a recovery link and deletes all others of its email. */
export async function consumeRecovery(tx: Tx, tokenHash: Buffer, now: Date) {
  const taken = await tx
    .deleteFrom("recovery_requests")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (taken) await deleteRecoveriesOf(tx, taken.email);
  return taken;
}

export const setPassword = (tx: Tx, account: LockedAccount, passwordHash: string, now: Date) =>
  tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", account.id)
    .execute();

export const deleteRecoveriesOf = (tx: Tx, email: string) =>
  tx.deleteFrom("recovery_requests").where(sql`lower(email)`, "=", email.toLowerCase()).execute();
