import type { AppError } from "#shared/errors.ts";
import type { Db, Tx } from "../database/handles.ts";

export type Press = {
  /** Equal for repetitions; null if the client sent no key. */
  mark: string | null;
  /** Reason to create nothing new, or null. Does not apply to a repetition. */
  refused: AppError | null;
  at: Date;
};

/**
 * Creates something once per press, in one transaction. A concurrent repetition waits for the transaction before it takes a lock.
 * @returns the id of the created item, even if it was deleted since
 * @throws AppError press.refused if nothing was created before
 */
export const once = (
  db: Db,
  { mark, refused, at }: Press,
  create: (tx: Tx) => Promise<{ id: string }>,
): Promise<{ id: string; again: boolean }> =>
  db.transaction().execute(async (tx) => {
    if (mark !== null) {
      const { numInsertedOrUpdatedRows: claimed } = await tx
        .insertInto("presses")
        .values({ mark, created_at: at })
        .onConflict((conflict) => conflict.column("mark").doNothing())
        .executeTakeFirstOrThrow();
      if (!claimed) {
        const earlier = tx.selectFrom("presses").select("made_id").where("mark", "=", mark);
        return { id: (await earlier.executeTakeFirstOrThrow()).made_id!, again: true };
      }
    }
    if (refused) throw refused;
    const { id } = await create(tx);
    if (mark !== null) await tx.updateTable("presses").set({ made_id: id }).where("mark", "=", mark).execute();
    return { id, again: false };
  });
