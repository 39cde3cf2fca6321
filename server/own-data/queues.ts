import { defineQueue } from "../jobs.ts";

// No retry, because the next run follows a minute later. The job contains no text's id: each text has its own time in
// its row.
export const ANONYMISED_TEXTS = defineQueue("anonymised-texts", {
  retryLimit: 0,
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
});
