import { AppError } from "#shared/errors.ts";
import type { Viewer } from "../accounts/rules.ts";
import type { Context } from "../context.ts";
import { dayOf } from "./rules.ts";
import { countView, isPsychologist } from "./store.ts";
import { type Visitor, visitorMark } from "./visitor-mark.ts";

/**
 * Counts a visit to a profile: once a day for each visitor, never the owner's, and from one network address only so many in
 * an hour. Whether it counted shows neither in the answer nor in what is asked of the database.
 * @throws AppError psychologist_not_found
 */
export async function recordView(
  context: Context,
  viewer: Viewer | null,
  psychologistId: string,
  visitor: Visitor,
): Promise<void> {
  const id = psychologistId.toLowerCase();
  if (viewer?.id === id) return;
  if (!(await isPsychologist(context.db, id))) throw new AppError("psychologist_not_found");
  const within = await context.rateLimits.take("profile_view", { address: visitor.address, about: id });
  const now = context.now();
  const mark = visitorMark(context.config.secret, psychologistId, visitor, now);
  await countView(context.db, { psychologist_id: id, day: dayOf(now), mark, within });
}
