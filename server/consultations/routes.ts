import { LIMITS } from "#shared/limits.ts";
import { answeringOf } from "../answers/answering.ts";
import { answersPage } from "../answers/pages.ts";
import { whyCannotAnswer, whyCannotReply } from "../answers/rules.ts";
import { NEWEST_FIRST, pageOf, readCursor } from "../cursor.ts";
import { tryWrite } from "../database/faults.ts";
import { pressOf, rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { missing } from "../threads/store.ts";
import { withVersion } from "../versions.ts";
import { createConsultation, deleteOwnConsultation, editConsultation, voteOnConsultation } from "./commands.ts";
import { presentConsultation, presentOwnConsultation, REMOVABLE } from "./present.ts";
import { UNUSED_WEEKLY_LIMIT, weeklyLimit, whyCannotRemove } from "./rules.ts";
import {
  communityNumbers,
  FEED_ORDERS,
  feedPage,
  markListed,
  ownConsultation,
  ownConsultations,
  publicConsultation,
  updateAnswerMails,
  voteOf,
  weeklyUse,
} from "./store.ts";

const { consultations } = api;

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
    const remove = own === undefined && whyCannotRemove(viewer) === null;
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
        can: { answer: whyCannotAnswer(viewer) === null, reply: whyCannotReply(viewer) === null },
        removal_version: remove ? withVersion(config.secret, REMOVABLE, row).version : null,
        answering: viewer?.user_type === "psychologist" ? await answeringOf(db, viewer, now()) : null,
      },
    };
  }),

  create: consultations.create
    .use(requireSignIn("sign_in_to_ask"))
    .use(pressOf("ask"))
    .handler(({ context: { request, viewer, press }, input }) =>
      createConsultation(request.context, viewer, input, press),
    ),

  vote: consultations.vote
    .use(requireSignIn("sign_in_to_vote"))
    .use(rateLimit("vote"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const counted = await voteOnConsultation(request.context, viewer, input.id, input.vote);
      return { ...counted, vote: input.vote === "none" ? null : input.vote };
    }),

  edit: consultations.edit
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => editConsultation(request.context, viewer, input)),

  chooseMails: consultations.chooseMails
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(async ({ context: { viewer, db, publicDb }, input }) => {
      const found = await updateAnswerMails(db, input.id, viewer.id, input.notify_on_answer);
      if (!found) throw await missing(publicDb, input.id, "consultation_not_found");
    }),

  delete: consultations.delete
    .use(requireSignIn())
    .use(rateLimit("correct"))
    .handler(({ context: { request, viewer }, input }) => deleteOwnConsultation(request.context, viewer, input.id)),

  mine: consultations.mine.use(requireSignIn()).handler(async ({ context: { request, config, viewer, db }, input }) => {
    const cursor = readCursor(config.secret, input.cursor, false);
    const rows = await ownConsultations(db, viewer.id, cursor, LIMITS.ownConsultationsPage + 1);
    const { shown, next_cursor } = pageOf(config.secret, rows, LIMITS.ownConsultationsPage, NEWEST_FIRST);
    const unseen = input.peek
      ? []
      : shown.filter((row) => row.answers_received > row.answers_listed || row.answer_mail_id);
    if (unseen.length) await tryWrite(request.context.log, markListed(db, viewer.id, unseen));
    return { items: shown.map(presentOwnConsultation), next_cursor };
  }),

  weeklyLimit: consultations.weeklyLimit.use(requireSignIn()).handler(async ({ context: { viewer, db, now } }) => {
    const use = await weeklyUse(db, viewer.id).catch(() => undefined);
    const limit = use ? weeklyLimit(use, now()) : UNUSED_WEEKLY_LIMIT;
    return { ...limit, country: use?.country ?? null };
  }),

  community: consultations.community.handler(({ context: { publicDb } }) => communityNumbers(publicDb)),
});
