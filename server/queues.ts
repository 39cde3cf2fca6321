/** All queues of the server, which migrations create. Imports no job, so that a migration needs only the database. */
import type { PgBoss } from "pg-boss";
import { REMOVALS } from "./admin/removal/queues.ts";
import { defineQueue, type Queue } from "./jobs.ts";
import { MAILS } from "./mail/queues.ts";
import { PAYMENT_WORK } from "./memberships/queues.ts";
import { DIGESTS, PUSHES } from "./notifications/queues.ts";
import { ANONYMISED_TEXTS } from "./own-data/queues.ts";
import { UNUSED_FILES } from "./uploads/queues.ts";

export const HOUSEKEEPING = defineQueue("housekeeping", { retryLimit: 2, expireInSeconds: 300 });

const QUEUES: Queue[] = [MAILS, UNUSED_FILES, REMOVALS, ANONYMISED_TEXTS, HOUSEKEEPING, PAYMENT_WORK, PUSHES, DIGESTS];

export async function createQueues(boss: PgBoss): Promise<void> {
  for (const { name, options } of QUEUES) await boss.createQueue(name, options);
}
