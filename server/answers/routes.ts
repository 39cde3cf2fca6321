import { refuse } from "#shared/errors.ts";
import { limit, pressOf, signedIn } from "../sessions/guards.ts";
import { api, done } from "../sessions/operations.ts";
import { isVisible, missing } from "../threads/store.ts";
import { answer, deleteOwnAnswer, deleteOwnReply, editAnswer, editReply, reply, voteOnAnswer } from "./commands.ts";
import { answersPage, repliesPage } from "./pages.ts";
import { repliedAnswers } from "./replied-store.ts";
import { whyCannotChangeAnswer, whyCannotChangeReply } from "./rules.ts";
import { answerToChange, replyToChange, visibleAnswer } from "./store.ts";

const { answers, replies } = api;

export const answerRoutes = answers.router({
  list: answers.list.handler(async ({ context: { request, publicDb }, input }) => {
    if (!(await isVisible(publicDb, input.id))) throw await missing(publicDb, input.id, "consultation_not_found");
    const { items, next_cursor } = await answersPage(request, input.id, input);
    return { items, next_cursor };
  }),

  create: answers.create
    .use(signedIn("sign_in_to_answer"))
    .use(pressOf("answer"))
    .handler(({ context: { request, viewer, press }, input }) =>
      answer(request.context, viewer, input.id, input.content, press),
    ),

  vote: answers.vote
    .use(signedIn("sign_in_to_vote"))
    .use(limit("vote"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const counted = await voteOnAnswer(request.context, viewer, input.id, input.vote);
      return { ...counted, vote: input.vote === "none" ? null : input.vote };
    }),

  reply: answers.reply
    .use(signedIn("sign_in_to_reply"))
    .use(pressOf("reply"))
    .handler(({ context: { request, viewer, press }, input }) =>
      reply(request.context, viewer, input.id, input.content, press),
    ),

  replied: answers.replied.use(signedIn()).handler(async ({ context: { viewer, db } }) => {
    const rows = await repliedAnswers(db, viewer.id);
    return rows.map(({ id, new_replies, consultation_id, title }) => ({
      id,
      new_replies,
      consultation: { id: consultation_id, title },
    }));
  }),

  own: answers.own.use(signedIn()).handler(async ({ context: { viewer, db, publicDb }, input }) => {
    const row = await answerToChange(db, input.id);
    if (!row) throw await missing(publicDb, input.id, "answer_not_found");
    refuse(whyCannotChangeAnswer(viewer, row));
    return { id: row.id, content: row.content, consultation_id: row.consultation_id };
  }),

  edit: answers.edit
    .use(signedIn())
    .use(limit("correct"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await editAnswer(request.context, viewer, input.id, input.content);
      return done;
    }),

  delete: answers.delete
    .use(signedIn())
    .use(limit("correct"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await deleteOwnAnswer(request.context, viewer, input.id);
      return done;
    }),
});

export const replyRoutes = replies.router({
  list: replies.list.handler(async ({ context: { request, publicDb }, input }) => {
    if (!(await visibleAnswer(publicDb, input.id))) throw await missing(publicDb, input.id, "answer_not_found");
    return repliesPage(request, input.id, input.cursor);
  }),

  own: replies.own.use(signedIn()).handler(async ({ context: { viewer, db, publicDb }, input }) => {
    const row = await replyToChange(db, input.id);
    if (!row) throw await missing(publicDb, input.id, "reply_not_found");
    refuse(whyCannotChangeReply(viewer, row));
    return { id: row.id, content: row.content, consultation_id: row.consultation_id };
  }),

  edit: replies.edit
    .use(signedIn())
    .use(limit("correct"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await editReply(request.context, viewer, input.id, input.content);
      return done;
    }),

  delete: replies.delete
    .use(signedIn())
    .use(limit("correct"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await deleteOwnReply(request.context, viewer, input.id);
      return done;
    }),
});
