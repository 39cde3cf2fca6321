import type { Context } from "../../context.ts";
import { type Job, work } from "../../jobs.ts";
import { REMOVALS, type RemovalJob } from "./queues.ts";
import { deleteRemoval } from "./store.ts";

/** Deletes the stored rows of a removal, unless it was undone. */
export async function purgeRemoval({ db }: Context, { decision_id }: RemovalJob): Promise<void> {
  await deleteRemoval(db, decision_id);
}

export const removalJobs: Job[] = [work(REMOVALS, { pollingIntervalSeconds: 5 }, purgeRemoval)];
