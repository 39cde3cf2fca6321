import type { z } from "zod";
import type { EditConsultationInput, NewConsultationInput } from "#shared/consultations.ts";
import { AppError, assertAllowed } from "#shared/errors.ts";
import type { Vote } from "#shared/votes.ts";
import { nameErrorFor } from "../accounts/profile/rules.ts";
import type { Context } from "../context.ts";
import { once, type Press } from "../limits/presses.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { removeConsultations } from "../threads/steps.ts";
import { deleteOwnText, lockConsultation, missing, upsertVote } from "../threads/store.ts";
import { weeklyLimit, whyCannotAsk, whyCannotChange, whyCannotVote } from "./rules.ts";
import { insertConsultation, lockWeeklyUse, lockWholeConsultation, updateConsultation } from "./store.ts";

type Fields = Omit<z.infer<typeof NewConsultationInput>, "key" | "notify_on_answer" | "noindex">;

/** Returns the published fields. An anonymous consultation has no display name. */
const publicFields = ({ title, content, country, category, is_anonymous, author_name }: Fields) => ({
  title,
  content,
  country,
  category: category ?? null,
  is_anonymous,
  author_name: is_anonymous ? null : (author_name ?? null),
});

/**
 * Publishes a consultation and counts it in one transaction, so that only the allowed number of concurrent ones
 * succeeds. A repetition of the press returns the first id.
 * @throws AppError sign_in_to_ask if the account was deleted
 * @throws AppError psychologists_cannot_ask, consent_withdrawn
 * @throws AppError weekly_limit_reached with the days until the next one and its time
 */
export async function createConsultation(
  context: Context,
  viewer: Viewer,
  input: z.infer<typeof NewConsultationInput>,
  press: Press,
): Promise<{ id: string }> {
  const now = press.at;
  return once(context.db, press, async (tx) => {
    const use = await lockWeeklyUse(tx, viewer.id);
    if (!use) throw new AppError("sign_in_to_ask");
    const limit = weeklyLimit(use, now);
    const refusal = whyCannotAsk(viewer, limit);
    if (refusal === "weekly_limit_reached") {
      const { days_until_reset, resets_at } = limit;
      throw new AppError(refusal, { details: { days_until_reset, until: resets_at!.toISOString() } });
    }
    assertAllowed(refusal);
    const { notify_on_answer, noindex } = input;
    const row = { ...publicFields(input), notify_on_answer, noindex, user_id: viewer.id, created_at: now };
    return insertConsultation(tx, row, limit.used + 1, limit.used > 0 ? use.weekly_window_started_at! : now);
  });
}

/**
 * Sets a vote: up, down or none. Idempotent.
 * @throws AppError consultation_not_found, gone
 */
export async function voteOnConsultation(
  context: Context,
  viewer: Viewer,
  id: string,
  vote: Vote,
): Promise<{ upvotes: number; downvotes: number }> {
  return context.db.transaction().execute(async (tx) => {
    if (!(await lockConsultation(tx, id))) throw await missing(tx, id, "consultation_not_found");
    assertAllowed(whyCannotVote(viewer));
    return upsertVote(tx, "consultations", id, viewer.id, vote);
  });
}

/**
 * Edits the user's own consultation and marks it as edited if a field changed.
 * @throws AppError consultation_not_found also for another user's consultation
 * @throws AppError gone
 * @throws AppError invalid_input with an error at a new display name
 */
export async function editConsultation(
  context: Context,
  viewer: Viewer,
  { id, ...input }: z.infer<typeof EditConsultationInput>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw await missing(tx, id, "consultation_not_found");
    assertAllowed(whyCannotChange(viewer, before));
    const named = !input.is_anonymous && input.author_name !== undefined && input.author_name !== before.author_name;
    const problem = named ? nameErrorFor(viewer.user_type, input.author_name!) : null;
    if (problem) throw new AppError("invalid_input", { fields: { author_name: problem } });
    const fields = publicFields(input);
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).some((name) => fields[name] !== before[name]);
    const { notify_on_answer = before.notify_on_answer, noindex = before.noindex } = input;
    await updateConsultation(tx, id, { notify_on_answer, noindex, ...(changed && { ...fields, edited_at: now }) });
  });
}

/**
 * Deletes the user's own consultation with its answers, replies and votes. Does not restore the weekly limit.
 * @throws AppError consultation_not_found also for another user's consultation
 * @throws AppError gone
 */
export async function deleteOwnConsultation(context: Context, viewer: Viewer, id: string): Promise<void> {
  await deleteOwnText(context.db, id, viewer.id, async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw await missing(tx, id, "consultation_not_found");
    assertAllowed(whyCannotChange(viewer, before));
    await removeConsultations(tx, [id]);
  });
}
