import { defineQueue, RETRY_UP_TO_HALF_AN_HOUR } from "../../jobs.ts";

/**
 * Deletions of the stored rows of removals that cannot be undone any more. Housekeeping deletes the rows if all retries
 * fail.
 */
export const REMOVALS = defineQueue<{ decision_id: string }>("removals", {
  retryLimit: 20,
  ...RETRY_UP_TO_HALF_AN_HOUR,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
});
