/** The hourly deletion of all features' expired data. */

import { DAY, toIsoDay } from "#shared/time.ts";
import { deleteExpired as deleteExpiredLinks } from "./accounts/store.ts";
import { deleteExpiredRemovals } from "./admin/removal/jobs.ts";
import { REPLY_WINDOW_MS } from "./answers/rules.ts";
import { deleteDeletedRepliesUntil } from "./answers/store.ts";
import type { Context } from "./context.ts";
import { deleteExpired as deleteExpiredLimits, deletePressesBefore } from "./limits/store.ts";
import { deleteHandledEvents } from "./memberships/reading/store.ts";
import { deleteExpiredAccountEmails } from "./own-data/jobs.ts";
import { deleteViewerHashesBefore } from "./psychologists/store.ts";
import { KNOWN_DEVICES, LIFETIMES } from "./sessions/rules.ts";
import { deleteExpired as deleteExpiredSessions } from "./sessions/store.ts";

/** Time in which a press of a form can be repeated, in milliseconds. */
const PRESS_LIFETIME_MS = 30 * DAY;

/**
 * Deletes expired data.
 * @throws Error if a deletion failed; the others ran
 */
export async function housekeeping(context: Context): Promise<void> {
  const { db } = context;
  const now = context.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const deletions = [
    () => deleteExpiredSessions(db, now, before(LIFETIMES.sessionIdle), toIsoDay(before(KNOWN_DEVICES.lifetime))),
    () => deleteExpiredLinks(db, now),
    () => deleteExpiredLimits(db, now),
    () => deletePressesBefore(db, before(PRESS_LIFETIME_MS)),
    () => deleteExpiredAccountEmails(context),
    () => deleteExpiredRemovals(context),
    () => deleteDeletedRepliesUntil(db, before(REPLY_WINDOW_MS)),
    // The marks of visitors stay for one more day, because the clocks of nodes differ.
    () => deleteViewerHashesBefore(db, toIsoDay(before(DAY))),
    () => deleteHandledEvents(context.db, context.now()),
  ];
  const failures: unknown[] = [];
  for (const deletion of deletions) await deletion().catch((error: unknown) => failures.push(error));
  if (failures.length) throw failures[0];
}
