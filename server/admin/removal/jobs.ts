import { MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import { type Job, work } from "../../jobs.ts";
import { undoWindow } from "../rules.ts";
import { REMOVALS, type RemovalJob } from "./queues.ts";
import { deleteRemoval, deleteRemovalsBefore } from "./store.ts";

/** Deletes the stored rows of a removal, unless it was undone. */
export async function purgeRemoval({ db }: Context, { decision_id }: RemovalJob): Promise<void> {
  await deleteRemoval(db, decision_id);
}

export const removalJobs: Job[] = [work(REMOVALS, { pollingIntervalSeconds: 5 }, purgeRemoval)];

/** Deletes stored removals whose jobs failed. */
export async function deleteExpiredRemovals({ db, now }: Context): Promise<void> {
  await deleteRemovalsBefore(db, new Date(undoWindow(now()).after.getTime() - MINUTE));
}
