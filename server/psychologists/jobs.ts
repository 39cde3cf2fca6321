import { DAY, dayOf } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { deleteVisitMarksBefore } from "./store.ts";

/** Deletes the visitor marks of past days, except for one more day, because the clocks of nodes differ. */
export async function deleteExpiredVisitMarks({ db, now }: Context): Promise<void> {
  await deleteVisitMarksBefore(db, dayOf(new Date(now().getTime() - DAY)));
}
