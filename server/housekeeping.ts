/** The hourly deletion of all features' expired data. */

import { DAY } from "#shared/time.ts";
import { deleteExpiredLinks } from "./accounts/jobs.ts";
import { deleteExpiredRemovals } from "./admin/removal/jobs.ts";
import { deleteExpiredReplies } from "./answers/jobs.ts";
import type { Context } from "./context.ts";
import { deleteExpired as deleteExpiredLimits, deletePressesBefore } from "./limits/store.ts";
import { deleteHandledEvents } from "./memberships/reading/jobs.ts";
import { deleteExpiredAccountEmails } from "./own-data/jobs.ts";
import { deleteExpiredViewerHashes } from "./psychologists/jobs.ts";
import { deleteExpiredSessions } from "./sessions/jobs.ts";

/** Time in which a press of a form can be repeated, in milliseconds. */
const PRESS_LIFETIME_MS = 30 * DAY;

/** Deletes expired data. */
export async function housekeeping(context: Context): Promise<void> {
  await deleteExpiredSessions(context);
  await deleteExpiredLinks(context);
  await deleteExpiredLimits(context.db, context.now());
  await deletePressesBefore(context.db, new Date(context.now().getTime() - PRESS_LIFETIME_MS));
  await deleteExpiredAccountEmails(context);
  await deleteExpiredRemovals(context);
  await deleteExpiredReplies(context);
  await deleteExpiredViewerHashes(context);
  await deleteHandledEvents(context);
}
