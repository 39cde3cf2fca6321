import type { Db, Row, Tx } from "../../database/handles.ts";
import type { LockedAccount } from "../../sessions/session.ts";

/**
 * Stores an email change and replaces a pending one. For the same email the link stays valid, and the time of the
 * first request stays: since then the account may be in other hands.
 * @returns the id of the change
 */
export async function upsertEmailChange(
  tx: Tx,
  row: Omit<Row<"email_changes">, "confirmed_at" | "mailed_at">,
): Promise<string> {
  await tx
    .deleteFrom("email_changes")
    .where("account_id", "=", row.account_id)
    .where("confirmed_at", "is", null)
    .where((either) =>
      either.or([either("new_email", "<>", row.new_email), either("expires_at", "<=", row.created_at)]),
    )
    .execute();
  const { id } = await tx
    .insertInto("email_changes")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("account_id").where("confirmed_at", "is", null).doUpdateSet({ expires_at: row.expires_at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes the pending change and returns it if there was one. */
export const deletePendingEmailChange = (tx: Db, accountId: string) =>
  tx
    .deleteFrom("email_changes")
    .where("account_id", "=", accountId)
    .where("confirmed_at", "is", null)
    .returning("id")
    .executeTakeFirst();

export const pendingEmailChange = (db: Db, accountId: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .select(["id", "new_email", "expires_at"])
    .where("account_id", "=", accountId)
    .where("confirmed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const emailChangeById = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .innerJoin("profiles", "profiles.id", "email_changes.account_id")
    .select(["email_changes.id", "account_id", "old_email", "new_email", "confirmed_at", "profiles.full_name"])
    .where("email_changes.id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();

const changeOfToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("email_changes")
    .select(["id", "account_id", "old_email", "new_email", "created_at", "confirmed_at"])
    .where((either) =>
      either.or([
        either.and([either("token_hash", "=", tokenHash), either("confirmed_at", "is", null)]),
        either.and([either("undo_hash", "=", tokenHash), either("confirmed_at", "is not", null)]),
      ]),
    )
    .where("expires_at", ">", now);

/** Returns the email change of a mailed link, to confirm or to revert it. */
export const emailChangeByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  changeOfToken(db, tokenHash, now).executeTakeFirst();

/** Locks the email change of a mailed link. Exactly one of several concurrent uses gets it. */
export const lockEmailChange = (tx: Tx, tokenHash: Buffer, now: Date) =>
  changeOfToken(tx, tokenHash, now).forUpdate().executeTakeFirst();

/** Consumes the link of the new mailbox. */
export const confirmEmailChange = (tx: Tx, id: string, now: Date, undoUntil: Date) =>
  tx.updateTable("email_changes").set({ confirmed_at: now, expires_at: undoUntil }).where("id", "=", id).execute();

/** Consumes the link of the old mailbox with those of all later changes. */
export const deleteEmailChangesSince = (tx: Tx, accountId: string, confirmedAt: Date) =>
  tx
    .deleteFrom("email_changes")
    .where("account_id", "=", accountId)
    .where((either) => either.or([either("confirmed_at", "is", null), either("confirmed_at", ">=", confirmedAt)]))
    .execute();

export async function setEmail(tx: Tx, { id }: LockedAccount, email: string, now: Date): Promise<void> {
  await tx.updateTable("profiles").set({ email, updated_at: now }).where("id", "=", id).execute();
  await tx.updateTable("accounts").set({ email_verified_at: now }).where("id", "=", id).execute();
}
