import { DAY, toIsoDay } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { deleteViewerHashesBefore } from "./store.ts";

/** Deletes the visitor marks of past days, except for one more day, because the clocks of nodes differ. */
export async function deleteExpiredViewerHashes({ db, now }: Context): Promise<void> {
  await deleteViewerHashesBefore(db, toIsoDay(new Date(now().getTime() - DAY)));
}
