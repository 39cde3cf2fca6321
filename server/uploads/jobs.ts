import type { Context } from "../context.ts";
import { type Job, work } from "../jobs.ts";
import { UNUSED_FILES } from "./queues.ts";
import { profileOfPhoto } from "./rules.ts";
import { isPhotoUsed } from "./store.ts";

async function removeUnusedFile({ db, storage }: Context, { key }: { key: string }): Promise<void> {
  const profileId = profileOfPhoto(key);
  if (profileId && (await isPhotoUsed(db, profileId, `/${key}`))) return;
  await storage.remove(key);
}

export const uploadJobs: Job[] = [work(UNUSED_FILES, { pollingIntervalSeconds: 2 }, removeUnusedFile)];
