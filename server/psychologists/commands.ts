import { AppError } from "#shared/errors.ts";
import type { Viewer } from "../accounts/rules.ts";
import type { Context } from "../context.ts";
import { dayOf } from "./rules.ts";
import { countView } from "./store.ts";
import { type Visitor, visitorMark } from "./visitor-mark.ts";

/**
 * Counts a visit to a profile: once a day for each visitor, never the owner's.
 * @returns whether it counted
 * @throws AppError psychologist_not_found
 */
export async function recordView(
  context: Context,
  viewer: Viewer | null,
  psychologistId: string,
  visitor: Visitor,
): Promise<boolean> {
  if (viewer?.id === psychologistId.toLowerCase()) return false;
  const now = context.now();
  const { known, counted } = await countView(context.db, {
    psychologist_id: psychologistId,
    day: dayOf(now),
    mark: visitorMark(context.config.secret, psychologistId, visitor, now),
  });
  if (!known) throw new AppError("psychologist_not_found");
  return counted;
}
