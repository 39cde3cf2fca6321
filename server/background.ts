/** Work of the server apart from requests: mails and jobs of all features, and the deletion of expired data. */

import { DAY } from "#shared/time.ts";
import { emailChangeMails } from "./accounts/email-change/mails.ts";
import { deleteExpiredLinks } from "./accounts/jobs.ts";
import { recoveryMails } from "./accounts/recovery/mails.ts";
import { registrationMails } from "./accounts/registration/mails.ts";
import { secondFactorMails } from "./accounts/second-factor/mails.ts";
import { signInMails } from "./accounts/sign-in/mails.ts";
import { deleteExpiredRemovals, removalJobs } from "./admin/removal/jobs.ts";
import { verificationMails } from "./admin/verification/mails.ts";
import { deleteExpiredReplies } from "./answers/jobs.ts";
import { answerMails } from "./answers/mails.ts";
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
import { deleteExpiredViewerHashes } from "./psychologists/jobs.ts";
import { HOUSEKEEPING } from "./queues.ts";
import { deleteExpiredSessions } from "./sessions/jobs.ts";
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

export const JOBS: Job[] = [
  ...mailJobs(sendMail),
  ...uploadJobs,
  ...removalJobs,
  ...ownDataJobs,
  ...membershipJobs,
  ...notificationJobs,
  workAt("17 * * * *", HOUSEKEEPING, { pollingIntervalSeconds: 60 }, housekeeping),
];
