import { assertAllowed } from "#shared/errors.ts";
import { pressOf, rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { isVisible, missing } from "../threads/store.ts";
import {
  createAnswer,
  createReply,
  deleteOwnAnswer,
  deleteOwnReply,
  editAnswer,
  editReply,
  saveTemplate,
  thankForAnswer,
  voteOnAnswer,
} from "./commands.ts";
import { answersPage, repliesPage } from "./pages.ts";
import { whyCannotChangeAnswer, whyCannotChangeReply } from "./rules.ts";
import { answerToChange, publicAnswer, replyToChange } from "./store.ts";
import { deleteTemplate, templatesOf } from "./template-store.ts";

const { answers, replies } = api;

export const answerRoutes = answers.router({
  list: answers.list.handler(async ({ context: { request, publicDb }, input }) => {
    if (!(await isVisible(publicDb, input.id))) throw await missing(publicDb, input.id, "consultation_not_found");
    const { items, next_cursor } = await answersPage(request, input.id, input);
    return { items, next_cursor };
  }),

  create: answers.create
    .use(requireSignIn("sign_in_to_answer"))
    .use(pressOf("answer"))
    .handler(({ context: { request, viewer, press }, input }) =>
      createAnswer(request.context, viewer, input.id, input.content, press),
    ),

  vote: answers.vote
    .use(requireSignIn("sign_in_to_vote"))
    .use(rateLimit("vote"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const counted = await voteOnAnswer(request.context, viewer, input.id, input.vote);
      return { ...counted, vote: input.vote === "none" ? null : input.vote };
    }),

  thank: answers.thank
    .use(requireSignIn())
    .use(rateLimit("vote"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await thankForAnswer(request.context, viewer, input.id, input.on);
      return { thanked: input.on };
    }),

  reply: answers.reply
    .use(requireSignIn("sign_in_to_reply"))
    .use(pressOf("reply"))
    .handler(({ context: { request, viewer, press }, input }) =>
      createReply(request.context, viewer, input.id, input.content, press),
    ),

  own: answers.own.use(requireSignIn()).handler(async ({ context: { viewer, db, publicDb }, input }) => {
    const row = await answerToChange(db, input.id);
    if (!row) throw await missing(publicDb, input.id, "answer_not_found");
    assertAllowed(whyCannotChangeAnswer(viewer, row));
    return row;
  }),

  edit: answers.edit
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => editAnswer(request.context, viewer, input.id, input.content)),

  delete: answers.delete
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => deleteOwnAnswer(request.context, viewer, input.id)),

  templates: answers.templates
    .use(requireSignIn())
    .handler(({ context: { viewer, db } }) => templatesOf(db, viewer.id)),

  saveTemplate: answers.saveTemplate
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => saveTemplate(request.context, viewer, input)),

  deleteTemplate: answers.deleteTemplate
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(async ({ context: { viewer, db }, input }) => {
      await deleteTemplate(db, input.id, viewer.id);
    }),
});

export const replyRoutes = replies.router({
  list: replies.list.handler(async ({ context: { request, publicDb }, input }) => {
    const answer = await publicAnswer(publicDb, input.id);
    if (!answer) throw await missing(publicDb, input.id, "answer_not_found");
    return { ...answer, ...(await repliesPage(request, input.id, input.cursor)) };
  }),

  own: replies.own.use(requireSignIn()).handler(async ({ context: { viewer, db, publicDb }, input }) => {
    const row = await replyToChange(db, input.id);
    if (!row) throw await missing(publicDb, input.id, "reply_not_found");
    assertAllowed(whyCannotChangeReply(viewer, row));
    return row;
  }),

  edit: replies.edit
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => editReply(request.context, viewer, input.id, input.content)),

  delete: replies.delete
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const { consultation_id, response_id } = await deleteOwnReply(request.context, viewer, input.id);
      return { consultation_id, answer_id: response_id };
    }),
});
