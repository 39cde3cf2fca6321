import { defineQueue } from "../jobs.ts";

// Not retried: the next one runs a minute later. The job names no text: each text has its own time in its row.
export const ANONYMISED_TEXTS = defineQueue("loose-texts", {
  retryLimit: 0,
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
});
