import type { AppError } from "#shared/errors.ts";
import type { Db, Tx } from "../database/handles.ts";
import { claimPress, madeByPress, setMadeByPress } from "./store.ts";

/** A press of a form that creates something. */
export type Press = {
  /** The same for a repetition; null if the client sent no key. */
  mark: string | null;
  /** Why nothing new may be created; null if it may. A repetition is not refused. */
  refused: AppError | null;
  at: Date;
};

/**
 * Creates something once for a press, however many requests repeat it, in one transaction.
 *
 * A concurrent repetition waits for that transaction before it takes any lock.
 * @returns the id of what was created, also if it was deleted since
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
