import { AppError, assertAllowed, retryDetails } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../database/handles.ts";
import { once } from "../limits/presses-store.ts";
import { queuePushes } from "../notifications/queues.ts";
import { pressOf, rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import type { Viewer } from "../sessions/viewer.ts";
import {
  answeringPsychologist,
  deleteOwnText,
  isVisible,
  lockAnswer,
  lockConsultation,
  lockPsychologist,
  missing,
  recountNews,
  recountPsychologists,
  removeAnswers,
  removeReply,
  upsertVote,
} from "../threads/store.ts";
import { answersPage, repliesPage } from "./pages.ts";
import { answeringState, REPLY_WINDOW_MS, whyCannotAnswer, whyCannotReply } from "./rules.ts";
import { queueAnswerMail } from "./steps.ts";
import {
  deleteTemplate,
  insertAnswer,
  insertReply,
  lastReplyOfLimit,
  publicAnswer,
  putTemplate,
  setThanks,
  TEXTS_TO_CHANGE,
  type TextKind,
  templatesOf,
  updateText,
} from "./store.ts";

/**
 * Locks an answer on which the user may vote.
 * @throws AppError answer_not_found, gone, cannot_vote_own_answer
 */
async function lockOthersAnswer(tx: Tx, viewer: Viewer, id: string) {
  const answer = await lockAnswer(tx, id);
  if (!answer) throw await missing(tx, id, "answer_not_found");
  if (answer.psychologist_id === viewer.id) throw new AppError("cannot_vote_own_answer");
  return answer;
}

/**
 * Returns the user's own answer or reply.
 * @throws AppError answer_not_found, reply_not_found also for another user's text
 * @throws AppError gone
 */
async function ownText(db: Db, kind: TextKind, viewer: Viewer, id: string) {
  const text = await TEXTS_TO_CHANGE[kind](db, id);
  if (!text) throw await missing(db, id, `${kind}_not_found`);
  if (text.author_id !== viewer.id) throw new AppError(`${kind}_not_found`);
  return text;
}

/** Locks the user's own text. Every change of an answer takes the consultation's lock, of a reply the answer's. */
async function lockOwnText(tx: Tx, kind: TextKind, viewer: Viewer, id: string) {
  const { consultation_id, answer_id } = await ownText(tx, kind, viewer, id);
  if (kind === "answer") await lockConsultation(tx, consultation_id);
  await lockAnswer(tx, answer_id);
  // Read again: it may have been edited or deleted before the lock.
  return ownText(tx, kind, viewer, id);
}

const editOwnText = (
  kind: TextKind,
  { viewer, db, now }: { viewer: Viewer; db: Db; now: () => Date },
  { id, content }: { id: string; content: string },
) =>
  db.transaction().execute(async (tx) => {
    const edited_at = now();
    const before = await lockOwnText(tx, kind, viewer, id);
    if (before.content !== content) await updateText(tx, kind, id, { content, edited_at });
    return before;
  });

const { answers, replies } = api;
const [ownAnswers, ownReplies] = [answers.use(requireSignIn()), replies.use(requireSignIn())];
const [changedAnswers, changedReplies] = [ownAnswers.use(rateLimit("correct")), ownReplies.use(rateLimit("correct"))];

export const answerRoutes = answers.router({
  list: answers.list.handler(async ({ context: { request, publicDb }, input }) => {
    if (!(await isVisible(publicDb, input.id))) throw await missing(publicDb, input.id, "consultation_not_found");
    const { items, next_cursor } = await answersPage(request, input.id, input);
    return { items, next_cursor };
  }),

  create: answers.create
    .use(requireSignIn("sign_in_to_answer"))
    .use(pressOf("answer"))
    .handler(async ({ context: { request, viewer, db, boss, config, now, press }, input }) => {
      const { id } = await once(db, press, async (tx) => {
        if (!(await lockConsultation(tx, input.id))) throw await missing(tx, input.id, "consultation_not_found");
        // After waiting for the lock: an author who looks meanwhile has not seen this answer.
        const created_at = now();
        const psychologist = await lockPsychologist(tx, viewer.id, created_at);
        if (!psychologist) throw new AppError("psychologist_required");
        assertAllowed(whyCannotAnswer({ ...viewer, ...psychologist }));
        const { id: consultation_id, content } = input;
        const row = { consultation_id, psychologist_id: viewer.id, content, created_at };
        const made = await insertAnswer(tx, row, !psychologist.has_gold);
        await queueAnswerMail(request.context, tx, consultation_id);
        await queuePushes(boss, tx, made.id, config.demo);
        return made;
      });
      // Read after publishing, because a repetition of the press publishes nothing.
      const psychologist = await answeringPsychologist(db, viewer.id, now());
      if (!psychologist) throw new AppError("psychologist_required");
      return { id, answering: answeringState(psychologist) };
    }),

  vote: answers.vote
    .use(requireSignIn("sign_in_to_vote"))
    .use(rateLimit("vote"))
    .handler(({ context: { viewer, db, now }, input: { id, vote } }) =>
      db.transaction().execute(async (tx) => {
        const { psychologist_id } = await lockOthersAnswer(tx, viewer, id);
        const votes = await upsertVote(tx, "consultation_responses", id, viewer.id, vote);
        await lockPsychologist(tx, psychologist_id, now());
        await recountPsychologists(tx, [psychologist_id]);
        return votes;
      }),
    ),

  thank: answers.thank
    .use(requireSignIn())
    .use(rateLimit("vote"))
    .handler(async ({ context: { viewer, db }, input: { id, on } }) => {
      await db.transaction().execute(async (tx) => {
        await lockOthersAnswer(tx, viewer, id);
        await setThanks(tx, id, viewer.id, on);
        await recountNews(tx, id);
      });
      return { thanked: on };
    }),

  reply: answers.reply
    .use(requireSignIn("sign_in_to_reply"))
    .use(pressOf("reply"))
    .handler(({ context: { viewer, db, boss, config, now, press }, input: { id: response_id, content } }) =>
      once(db, press, async (tx) => {
        assertAllowed(whyCannotReply(viewer));
        // Concurrent replies to the answer cannot exceed the daily limit.
        if (!(await lockAnswer(tx, response_id))) throw await missing(tx, response_id, "answer_not_found");
        const created_at = now();
        const since = new Date(created_at.getTime() - REPLY_WINDOW_MS);
        const last = await lastReplyOfLimit(tx, response_id, viewer.id, since);
        if (last) {
          const details = retryDetails(new Date(last.getTime() + REPLY_WINDOW_MS), created_at);
          throw new AppError("reply_limit_reached", { details });
        }
        const made = await insertReply(tx, { response_id, user_id: viewer.id, content, created_at });
        await recountNews(tx, response_id);
        await queuePushes(boss, tx, response_id, config.demo);
        return made;
      }),
    ),

  own: ownAnswers.own.handler(({ context: { viewer, db }, input }) => ownText(db, "answer", viewer, input.id)),

  edit: changedAnswers.edit.handler(({ context, input }) => editOwnText("answer", context, input)),

  // Does not restore a free answer.
  delete: changedAnswers.delete.handler(({ context: { viewer, db, now }, input: { id } }) =>
    deleteOwnText(db, id, viewer.id, async (tx) => {
      const answer = await lockOwnText(tx, "answer", viewer, id);
      await lockPsychologist(tx, viewer.id, now());
      await removeAnswers(tx, [{ ...answer, psychologist_id: viewer.id }]);
      return answer;
    }),
  ),

  templates: ownAnswers.templates.handler(({ context: { viewer, db } }) => templatesOf(db, viewer.id)),

  // Stores the same text once. A text that was deleted while it was edited is stored again.
  saveTemplate: changedAnswers.saveTemplate.handler(({ context: { viewer, db, now }, input: { id, content, title } }) =>
    db.transaction().execute(async (tx) => {
      if (!(await lockPsychologist(tx, viewer.id, now()))) throw new AppError("psychologist_required");
      const stored = await templatesOf(tx, viewer.id);
      const same = stored.find((one) => (id ? one.id === id : one.content === content));
      if (!same && stored.length >= LIMITS.templates) throw new AppError("template_limit_reached");
      const firstLine = [...content.split("\n", 1)[0]!].slice(0, LIMITS.templateTitle.max).join("");
      const row = { psychologist_id: viewer.id, title: title ?? same?.title ?? firstLine, content };
      return putTemplate(tx, same ? { id: same.id, ...row } : row);
    }),
  ),

  deleteTemplate: changedAnswers.deleteTemplate.handler(async ({ context: { viewer, db }, input }) => {
    await deleteTemplate(db, input.id, viewer.id);
  }),
});

export const replyRoutes = replies.router({
  list: replies.list.handler(async ({ context: { request, publicDb }, input }) => {
    const answer = await publicAnswer(publicDb, input.id);
    if (!answer) throw await missing(publicDb, input.id, "answer_not_found");
    return { ...answer, ...(await repliesPage(request, input.id, input.cursor)) };
  }),

  own: ownReplies.own.handler(({ context: { viewer, db }, input }) => ownText(db, "reply", viewer, input.id)),

  edit: changedReplies.edit.handler(({ context, input }) => editOwnText("reply", context, input)),

  delete: changedReplies.delete.handler(({ context: { viewer, db }, input: { id } }) =>
    deleteOwnText(db, id, viewer.id, async (tx) => {
      const reply = await lockOwnText(tx, "reply", viewer, id);
      await removeReply(tx, reply);
      return reply;
    }),
  ),
});
