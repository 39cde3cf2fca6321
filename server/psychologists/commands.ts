import { AppError } from "#shared/errors.ts";
import { toIsoDay } from "#shared/time.ts";
import type { Context } from "../context.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { insertProfileView, isPsychologist } from "./store.ts";
import { type ProfileViewer, viewerHash } from "./viewer-hash.ts";

/**
 * Counts a visit to a profile: once a day per visitor, never the owner's, and at most a number per hour from one IP.
 *
 * Neither the response nor the SQL statements reveal whether it counted.
 * @throws AppError psychologist_not_found
 */
export async function recordProfileView(
  context: Context,
  viewer: Viewer | null,
  id: string,
  visitor: ProfileViewer,
): Promise<void> {
  if (viewer?.id === id) return;
  if (!(await isPsychologist(context.db, id))) throw new AppError("psychologist_not_found");
  const full = await context.rateLimits.trySpend("profile_view", { address: visitor.address, target: id });
  const now = context.now();
  const mark = viewerHash(context.config.secret, id, visitor, now);
  await insertProfileView(context.db, { psychologist_id: id, day: toIsoDay(now), mark, within: full === null });
}
