import type { Context } from "../context.ts";
import type { RemovalJob } from "../jobs.ts";
import { deleteRemoval } from "./store.ts";

/** Deletes the stored rows of a removal, unless it was undone. */
export async function purgeRemoval({ db }: Context, { decision_id }: RemovalJob): Promise<void> {
  await deleteRemoval(db, decision_id);
}
