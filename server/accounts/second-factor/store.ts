import type { Db, Tx } from "../../database/handles.ts";

const factor = (db: Db, accountId: string) =>
  db.selectFrom("second_factors").select(["secret", "created_at", "confirmed_at"]).where("account_id", "=", accountId);

export const factorOf = (db: Db, accountId: string) => factor(db, accountId).executeTakeFirst();

export const lockFactor = (tx: Tx, accountId: string) => factor(tx, accountId).forUpdate().executeTakeFirst();

/**
 * Stores a secret that waits for its first code.
 * @returns undefined if a second factor is active, which stays unchanged
 */
export const upsertFactor = (tx: Tx, row: { account_id: string; secret: Buffer; created_at: Date }) =>
  tx
    .insertInto("second_factors")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet(row).where("second_factors.confirmed_at", "is", null),
    )
    .returning("account_id")
    .executeTakeFirst();

export const confirmFactor = (tx: Tx, accountId: string, step: number, now: Date) =>
  tx
    .updateTable("second_factors")
    .set({ confirmed_at: now, used_step: step })
    .where("account_id", "=", accountId)
    .execute();

/**
 * Consumes the step of a code.
 * @returns undefined after an earlier use of this or a later step
 */
export const consumeStep = (tx: Tx, accountId: string, step: number) =>
  tx
    .updateTable("second_factors")
    .set({ used_step: step })
    .where("account_id", "=", accountId)
    .where("used_step", "<", String(step))
    .returning("account_id")
    .executeTakeFirst();

/** Deletes a second factor with its recovery codes. */
export const deleteFactor = (tx: Tx, accountId: string) =>
  tx.deleteFrom("second_factors").where("account_id", "=", accountId).execute();

export const clearSecondFactorOfSessions = (tx: Tx, accountId: string) =>
  tx.updateTable("sessions").set({ second_factor_at: null }).where("account_id", "=", accountId).execute();

export async function replaceRecoveryCodes(tx: Tx, accountId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}

export const consumeRecoveryCode = (tx: Tx, account_id: string, code_hash: Buffer) =>
  tx
    .deleteFrom("recovery_codes")
    .where("account_id", "=", account_id)
    .where("code_hash", "=", code_hash)
    .returning("account_id")
    .executeTakeFirst();

export const countRecoveryCodes = async (db: Db, accountId: string) =>
  (await db.selectFrom("recovery_codes").select("account_id").where("account_id", "=", accountId).execute()).length;

/**
 * Deletes a second factor turned on at or after `moment`, when the account was taken over, or not turned on yet.
 *
 * An attacker may have begun its setup before. The owner could turn on a secret that the attacker knows.
 */
export const deleteSecondFactorSince = (tx: Tx, accountId: string, moment: Date) =>
  tx
    .deleteFrom("second_factors")
    .where("account_id", "=", accountId)
    .where((either) => either.or([either("confirmed_at", "is", null), either("confirmed_at", ">=", moment)]))
    .execute();
