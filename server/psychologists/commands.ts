import { AppError } from "#shared/errors.ts";
import { dayOf } from "#shared/time.ts";
import type { Context } from "../context.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { countView, isPsychologist } from "./store.ts";
import { type Visitor, visitorMark } from "./visitor-mark.ts";

/**
 * Counts a visit to a profile: once a day for each visitor, never the owner's, and a limited number per hour from one
 * network address. Whether it counted shows neither in the response nor in the statements.
 * @throws AppError psychologist_not_found
 */
export async function countVisit(
  context: Context,
  viewer: Viewer | null,
  psychologistId: string,
  visitor: Visitor,
): Promise<void> {
  const id = psychologistId.toLowerCase();
  if (viewer?.id === id) return;
  if (!(await isPsychologist(context.db, id))) throw new AppError("psychologist_not_found");
  const within = await context.rateLimits.trySpend("profile_view", { address: visitor.address, target: id });
  const now = context.now();
  const mark = visitorMark(context.config.secret, psychologistId, visitor, now);
  await countView(context.db, { psychologist_id: id, day: dayOf(now), mark, within });
}
