import type { AppError } from "#shared/errors.ts";
import type { Db, Tx } from "../database/handles.ts";
import { claimPress, madeByPress, setMadeByPress } from "./store.ts";

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
    if (mark !== null && !(await claimPress(tx, mark, at))) return { id: await madeByPress(tx, mark), again: true };
    if (refused) throw refused;
    const { id } = await create(tx);
    if (mark !== null) await setMadeByPress(tx, mark, id);
    return { id, again: false };
  });
