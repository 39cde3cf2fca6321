import { AppError } from "#shared/errors.ts";
import { visibleConsultation, wasDeleted } from "../consultations/store.ts";
import type { Request } from "../request.ts";
import { api, done, signedIn } from "../routes.ts";
import { answer, deleteOwnAnswer, deleteOwnReply, editAnswer, editReply, reply, voteOnAnswer } from "./commands.ts";
import { answersPage, repliesPage } from "./pages.ts";
import { whyCannotChangeAnswer, whyCannotChangeReply } from "./rules.ts";
import { answerToChange, replyToChange, visibleAnswer } from "./store.ts";

const { answers, replies } = api;

/** The viewer, once the use is counted. */
async function correcting(request: Request) {
  const { viewer } = signedIn(request);
  await request.context.rateLimits.spend("correct", { person: viewer.id });
  return viewer;
}

export const answerRoutes = answers.router({
  list: answers.list.handler(async ({ context: request, input }) => {
    const { publicDb } = request.context;
    if (!(await visibleConsultation(publicDb, input.id)))
      throw new AppError((await wasDeleted(publicDb, input.id)) ? "gone" : "consultation_not_found");
    const { items, next_cursor } = await answersPage(request, input.id, input);
    return { items, next_cursor };
  }),

  create: answers.create.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_answer");
    await request.context.rateLimits.spend("answer", { person: viewer.id });
    return answer(request.context, viewer, input.id, input.content);
  }),

  vote: answers.vote.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_vote");
    await request.context.rateLimits.spend("vote", { person: viewer.id });
    const counted = await voteOnAnswer(request.context, viewer, input.id, input.vote);
    return { ...counted, vote: input.vote === "none" ? null : input.vote };
  }),

  reply: answers.reply.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_reply");
    await request.context.rateLimits.spend("reply", { person: viewer.id });
    return reply(request.context, viewer, input.id, input.content);
  }),

  own: answers.own.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request);
    const row = await answerToChange(request.context.db, input.id);
    if (!row) throw new AppError((await wasDeleted(request.context.publicDb, input.id)) ? "gone" : "answer_not_found");
    const refusal = whyCannotChangeAnswer(viewer, row);
    if (refusal) throw new AppError(refusal);
    return { id: row.id, content: row.content, consultation_id: row.consultation_id };
  }),

  edit: answers.edit.handler(async ({ context: request, input }) => {
    await editAnswer(request.context, await correcting(request), input.id, input.content);
    return done;
  }),

  delete: answers.delete.handler(async ({ context: request, input }) => {
    await deleteOwnAnswer(request.context, await correcting(request), input.id);
    return done;
  }),
});

export const replyRoutes = replies.router({
  list: replies.list.handler(async ({ context: request, input }) => {
    const { publicDb } = request.context;
    if (!(await visibleAnswer(publicDb, input.id)))
      throw new AppError((await wasDeleted(publicDb, input.id)) ? "gone" : "answer_not_found");
    return repliesPage(request, input.id, input.cursor);
  }),

  own: replies.own.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request);
    const row = await replyToChange(request.context.db, input.id);
    if (!row) throw new AppError((await wasDeleted(request.context.publicDb, input.id)) ? "gone" : "reply_not_found");
    const refusal = whyCannotChangeReply(viewer, row);
    if (refusal) throw new AppError(refusal);
    return { id: row.id, content: row.content, consultation_id: row.consultation_id };
  }),

  edit: replies.edit.handler(async ({ context: request, input }) => {
    await editReply(request.context, await correcting(request), input.id, input.content);
    return done;
  }),

  delete: replies.delete.handler(async ({ context: request, input }) => {
    await deleteOwnReply(request.context, await correcting(request), input.id);
    return done;
  }),
});
