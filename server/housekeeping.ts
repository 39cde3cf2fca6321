/** The hourly deletion of all features' expired data. */
import type { Context } from "./context.ts";
import { deleteInBatches } from "./database/batches.ts";
import { expiredRows } from "./housekeeping-store.ts";

/**
 * Deletes expired data.
 * @throws Error if a deletion failed; the others ran
 */
export async function housekeeping({ db, now }: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const [table, where] of expiredRows(now()))
    await deleteInBatches(db, table, where).catch((error: unknown) => failures.push(error));
  if (failures.length) throw failures[0];
}
