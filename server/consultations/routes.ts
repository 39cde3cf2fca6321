import type { z } from "zod";
import type { NewConsultationInput } from "#shared/consultations.ts";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { nameErrorFor } from "../accounts/profile/rules.ts";
import { answersPage } from "../answers/pages.ts";
import { answeringOf } from "../answers/present.ts";
import { whyCannotAnswer, whyCannotReply } from "../answers/rules.ts";
import { NEWEST_FIRST, pageOf, readCursor } from "../cursor.ts";
import { tryWrite } from "../database/faults.ts";
import type { Tx } from "../database/handles.ts";
import { once } from "../limits/presses-store.ts";
import { pressOf, rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { deleteOwnText, lockConsultation, missing, removeConsultations, upsertVote } from "../threads/store.ts";
import { withVersion } from "../versions.ts";
import { presentConsultation, presentOwnConsultation, REMOVABLE } from "./present.ts";
import { UNUSED_WEEKLY_LIMIT, weeklyLimit } from "./rules.ts";
import {
  communityNumbers,
  FEED_ORDERS,
  feedPage,
  insertConsultation,
  lockWeeklyUse,
  lockWholeConsultation,
  markListed,
  ownConsultation,
  ownConsultations,
  publicConsultation,
  updateAnswerMails,
  updateConsultation,
  voteOf,
  weeklyUse,
} from "./store.ts";

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
 * Locks the user's own consultation.
 * @throws AppError consultation_not_found also for another user's consultation
 * @throws AppError gone
 */
async function lockOwnConsultation(tx: Tx, viewer: Viewer, id: string) {
  const row = await lockWholeConsultation(tx, id);
  if (!row) throw await missing(tx, id, "consultation_not_found");
  if (row.user_id !== viewer.id) throw new AppError("consultation_not_found");
  return row;
}

const { consultations } = api;
const own = consultations.use(requireSignIn());
const changed = own.use(rateLimit("correct"));

export const consultationRoutes = consultations.router({
  list: consultations.list.handler(async ({ context: { config, publicDb }, input }) => {
    const sort = input.sort ?? "recent";
    const order = FEED_ORDERS[sort];
    const cursor = readCursor(config.secret, input.cursor, order.key !== null);
    const filter = { country: input.country, category: input.category, sort };
    const rows = await feedPage(publicDb, filter, cursor, LIMITS.feedPage + 1).execute();
    const { shown, next_cursor } = pageOf(config.secret, rows, LIMITS.feedPage, order);
    return { items: shown.map(presentConsultation), next_cursor };
  }),

  get: consultations.get.handler(async ({ context: { request, viewer, config, publicDb, db, now }, input }) => {
    // Read the viewer's own data before the answers, so that an answer added in between stays new.
    const [row, own] = await Promise.all([
      publicConsultation(publicDb, input.id),
      viewer ? ownConsultation(db, input.id, viewer.id) : undefined,
    ]);
    if (!row) throw await missing(publicDb, input.id, "consultation_not_found");
    const [answers, vote] = await Promise.all([
      answersPage(request, row.id, input),
      viewer ? voteOf(db, row.id, viewer.id) : undefined,
    ]);
    // A lagging replica has not shown the newest answers, so they stay unseen.
    const showsAll = own?.response_count === row.response_count;
    if (viewer && own && showsAll && (own.answers_received > own.answers_seen || own.answer_mail_id))
      await tryWrite(request.context.log, markListed(db, viewer.id, [own], true));
    const remove = own === undefined && viewer?.is_admin;
    return {
      consultation: presentConsultation(row),
      answers: answers.items,
      next_answers_cursor: answers.next_cursor,
      leaves_out: answers.leaves_out,
      viewer: {
        vote: (vote?.vote_type as "up" | "down" | undefined) ?? null,
        mine: own !== undefined,
        author_name: own?.author_name ?? null,
        notify_on_answer: own?.notify_on_answer ?? null,
        can: {
          answer: viewer !== null && whyCannotAnswer(viewer) === null,
          reply: viewer !== null && whyCannotReply(viewer) === null,
        },
        removal_version: remove ? withVersion(config.secret, REMOVABLE, row).version : null,
        answering: viewer?.user_type === "psychologist" ? await answeringOf(db, viewer, now()) : null,
      },
    };
  }),

  // Only the allowed number of concurrent requests succeeds, because the same transaction counts the consultation.
  create: consultations.create
    .use(requireSignIn("sign_in_to_ask"))
    .use(pressOf("ask"))
    .handler(({ context: { viewer, db, press }, input }) =>
      once(db, press, async (tx) => {
        const created_at = press.at;
        const use = await lockWeeklyUse(tx, viewer.id);
        if (!use) throw new AppError("sign_in_to_ask");
        if (viewer.user_type === "psychologist") throw new AppError("psychologists_cannot_ask");
        if (viewer.consent_withdrawn) throw new AppError("consent_withdrawn");
        const { used, max_consultations, days_until_reset, resets_at } = weeklyLimit(use, created_at);
        if (used >= max_consultations)
          throw new AppError("weekly_limit_reached", {
            details: { days_until_reset, until: resets_at!.toISOString() },
          });
        const { notify_on_answer, noindex } = input;
        const row = { ...publicFields(input), notify_on_answer, noindex, user_id: viewer.id, created_at };
        return insertConsultation(tx, row, used + 1, used > 0 ? use.weekly_window_started_at! : created_at);
      }),
    ),

  // Authors may vote, because a refusal would reveal them.
  vote: consultations.vote
    .use(requireSignIn("sign_in_to_vote"))
    .use(rateLimit("vote"))
    .handler(({ context: { viewer, db }, input: { id, vote } }) =>
      db.transaction().execute(async (tx) => {
        if (!(await lockConsultation(tx, id))) throw await missing(tx, id, "consultation_not_found");
        return upsertVote(tx, "consultations", id, viewer.id, vote);
      }),
    ),

  edit: changed.edit.handler(async ({ context: { viewer, db, now }, input: { id, ...input } }) => {
    const edited_at = now();
    await db.transaction().execute(async (tx) => {
      const before = await lockOwnConsultation(tx, viewer, id);
      const { is_anonymous, author_name, notify_on_answer = before.notify_on_answer, noindex = before.noindex } = input;
      const named = !is_anonymous && author_name !== undefined && author_name !== before.author_name;
      const problem = named ? nameErrorFor(viewer.user_type, author_name) : null;
      if (problem) throw new AppError("invalid_input", { fields: { author_name: problem } });
      const fields = publicFields(input);
      const isEdited = (Object.keys(fields) as (keyof typeof fields)[]).some((name) => fields[name] !== before[name]);
      await updateConsultation(tx, id, { notify_on_answer, noindex, ...(isEdited && { ...fields, edited_at }) });
    });
  }),

  chooseMails: changed.chooseMails.handler(async ({ context: { viewer, db, publicDb }, input }) => {
    const found = await updateAnswerMails(db, input.id, viewer.id, input.notify_on_answer);
    if (!found) throw await missing(publicDb, input.id, "consultation_not_found");
  }),

  // Does not restore the weekly limit.
  delete: changed.delete.handler(({ context: { viewer, db }, input: { id } }) =>
    deleteOwnText(db, id, viewer.id, async (tx) => {
      await lockOwnConsultation(tx, viewer, id);
      await removeConsultations(tx, [id]);
    }),
  ),

  mine: own.mine.handler(async ({ context: { request, config, viewer, db }, input }) => {
    const cursor = readCursor(config.secret, input.cursor, false);
    const rows = await ownConsultations(db, viewer.id, cursor, LIMITS.ownConsultationsPage + 1);
    const { shown, next_cursor } = pageOf(config.secret, rows, LIMITS.ownConsultationsPage, NEWEST_FIRST);
    const unseen = input.peek
      ? []
      : shown.filter((row) => row.answers_received > row.answers_listed || row.answer_mail_id);
    if (unseen.length) await tryWrite(request.context.log, markListed(db, viewer.id, unseen));
    return { items: shown.map(presentOwnConsultation), next_cursor };
  }),

  weeklyLimit: own.weeklyLimit.handler(async ({ context: { viewer, db, now } }) => {
    const use = await weeklyUse(db, viewer.id).catch(() => undefined);
    const limit = use ? weeklyLimit(use, now()) : UNUSED_WEEKLY_LIMIT;
    return { ...limit, country: use?.country ?? null };
  }),

  community: consultations.community.handler(({ context: { publicDb } }) => communityNumbers(publicDb)),
});
