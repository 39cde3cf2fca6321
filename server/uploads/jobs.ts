import type { Context } from "../context.ts";
import { type Job, work } from "../jobs.ts";
import { UNUSED_FILES, type UnusedFileJob } from "./queues.ts";
import { profileOfPhoto } from "./rules.ts";
import { isPhotoUsed } from "./store.ts";

/** Removes a photo, unless its profile shows it. */
async function removeUnusedFile({ db, storage }: Context, { key }: UnusedFileJob): Promise<void> {
  const profileId = profileOfPhoto(key);
  if (profileId && (await isPhotoUsed(db, profileId, `/${key}`))) return;
  await storage.remove(key);
}

export const uploadJobs: Job[] = [work(UNUSED_FILES, { pollingIntervalSeconds: 2 }, removeUnusedFile)];
