import type { Context } from "../context.ts";
import type { RemovalJob } from "../jobs.ts";
import { deleteRemoved } from "./store.ts";

/** Deletes what was kept to undo a removal, unless that was undone. */
export async function deleteKept({ db }: Context, { decision_id }: RemovalJob): Promise<void> {
  await deleteRemoved(db, decision_id);
}
