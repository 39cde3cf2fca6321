/** Work of the server apart from requests: mails and jobs of all features. */

import { accountMails } from "./accounts/mails.ts";
import { REMOVALS } from "./admin/removal/queues.ts";
import { deleteRemoval } from "./admin/removal/store.ts";
import { verificationMails } from "./admin/verification/mails.ts";
import { answerMails } from "./answers/mails.ts";
import type { Context } from "./context.ts";
import { housekeeping } from "./housekeeping-store.ts";
import { type Job, work, workAt } from "./jobs.ts";
import type { Composers } from "./mail/composing.ts";
import { composeAndSend, mailJobs } from "./mail/jobs.ts";
import type { MailJob } from "./mail/queues.ts";
import { membershipMails } from "./memberships/mails.ts";
import { membershipJobs } from "./memberships/reading/jobs.ts";
import { notificationJobs } from "./notifications/jobs.ts";
import { digestMails } from "./notifications/mails.ts";
import { ownDataJobs } from "./own-data/jobs.ts";
import { ownDataMails } from "./own-data/mails.ts";
import { HOUSEKEEPING } from "./queues.ts";
import { uploadJobs } from "./uploads/jobs.ts";

const COMPOSERS: Composers = {
  ...accountMails,
  ...ownDataMails,
  ...membershipMails,
  ...answerMails,
  ...digestMails,
  ...verificationMails,
};

/**
 * Sends the mail of a job.
 * @throws Error if the job must be retried
 */
export const sendMail = (context: Context, job: MailJob): Promise<void> => composeAndSend(context, COMPOSERS, job);

export const JOBS: Job[] = [
  ...mailJobs(sendMail),
  ...uploadJobs,
  work(REMOVALS, { pollingIntervalSeconds: 5 }, async ({ db }, { decision_id }) => {
    await deleteRemoval(db, decision_id);
  }),
  ...ownDataJobs,
  ...membershipJobs,
  ...notificationJobs,
  workAt("17 * * * *", HOUSEKEEPING, { pollingIntervalSeconds: 60 }, housekeeping),
];
