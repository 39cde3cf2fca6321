/** Work of the server apart from requests: mails and jobs of all features, and the deletion of expired data. */

import { DAY, toIsoDay } from "#shared/time.ts";
import { emailChangeMails } from "./accounts/email-change/mails.ts";
import { recoveryMails } from "./accounts/recovery/mails.ts";
import { registrationMails } from "./accounts/registration/mails.ts";
import { secondFactorMails } from "./accounts/second-factor/mails.ts";
import { signInMails } from "./accounts/sign-in/mails.ts";
import { deleteExpired as deleteExpiredLinks } from "./accounts/store.ts";
import { deleteExpiredRemovals, removalJobs } from "./admin/removal/jobs.ts";
import { verificationMails } from "./admin/verification/mails.ts";
import { answerMails } from "./answers/mails.ts";
import { REPLY_WINDOW_MS } from "./answers/rules.ts";
import { deleteDeletedRepliesUntil } from "./answers/store.ts";
import type { Context } from "./context.ts";
import { type Job, workAt } from "./jobs.ts";
import { deleteExpired as deleteExpiredLimits, deletePressesBefore } from "./limits/store.ts";
import type { Composers } from "./mail/composing.ts";
import { composeAndSend, mailJobs } from "./mail/jobs.ts";
import type { MailJob } from "./mail/queues.ts";
import { membershipMails } from "./memberships/mails.ts";
import { deleteHandledEvents, membershipJobs } from "./memberships/reading/jobs.ts";
import { notificationJobs } from "./notifications/jobs.ts";
import { digestMails } from "./notifications/mails.ts";
import { deleteExpiredAccountEmails, ownDataJobs } from "./own-data/jobs.ts";
import { ownDataMails } from "./own-data/mails.ts";
import { deleteViewerHashesBefore } from "./psychologists/store.ts";
import { HOUSEKEEPING } from "./queues.ts";
import { KNOWN_DEVICES, LIFETIMES } from "./sessions/rules.ts";
import { deleteExpired as deleteExpiredSessions } from "./sessions/store.ts";
import { uploadJobs } from "./uploads/jobs.ts";

const COMPOSERS: Composers = {
  ...registrationMails,
  ...recoveryMails,
  ...signInMails,
  ...emailChangeMails,
  ...secondFactorMails,
  ...ownDataMails,
  ...membershipMails,
  ...answerMails,
  ...digestMails,
  ...verificationMails,
};

/** Time in which a press of a form can be repeated, in milliseconds. */
const PRESS_LIFETIME_MS = 30 * DAY;

/**
 * Sends the mail of a job.
 * @throws Error if the job must be retried
 */
export const sendMail = (context: Context, job: MailJob): Promise<void> => composeAndSend(context, COMPOSERS, job);

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
    () => deleteHandledEvents(context),
  ];
  const failures: unknown[] = [];
  for (const deletion of deletions) await deletion().catch((error: unknown) => failures.push(error));
  if (failures.length) throw failures[0];
}

export const JOBS: Job[] = [
  ...mailJobs(sendMail),
  ...uploadJobs,
  ...removalJobs,
  ...ownDataJobs,
  ...membershipJobs,
  ...notificationJobs,
  workAt("17 * * * *", HOUSEKEEPING, { pollingIntervalSeconds: 60 }, housekeeping),
];
