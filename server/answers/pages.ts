import type { RepliesView, ReplyView } from "#shared/answers.ts";
import { LIMITS } from "#shared/limits.ts";
import type { AnswerSort } from "#shared/sorts.ts";
import { minuteOf } from "#shared/time.ts";
import { cursorAt, OLDEST_FIRST, pageOf, readCursor, writeCursor } from "../cursor.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { presentPsychologistCard } from "./present.ts";
import {
  ANSWER_ORDERS,
  type AnswersStart,
  answerPosition,
  answersOf,
  type OwnReplyRow,
  ownReplies,
  type RepliesStart,
  type ReplyRow,
  reactionsTo,
  repliesOf,
  replyPosition,
} from "./store.ts";

type PageQuery = { sort?: AnswerSort; cursor?: string; answer?: string; replies_cursor?: string; reply?: string };

/** Start of a page of answers, and start of the replies of its first answer; null is the beginning. */
type Start = { answers: AnswersStart | null; replies: RepliesStart | null };
const FIRST_PAGE: Start = { answers: null, replies: null };

/**
 * Returns the start of the requested page. An unknown answer or reply is ignored: the page starts at the beginning.
 * @throws AppError invalid_input for a cursor that this server did not issue
 */
async function startOf(
  { context: { config, publicDb } }: RequestContext,
  consultationId: string,
  sort: AnswerSort,
  asked: PageQuery,
): Promise<Start> {
  const order = ANSWER_ORDERS[sort];
  const cursor = readCursor(config.secret, asked.cursor, order.key !== null);
  const repliesCursor = readCursor(config.secret, asked.replies_cursor, false, "replies_cursor");
  const withAnswer = (answer: { id: string; created_at: Date; votes: number }): AnswersStart => ({
    cursor: cursorAt(answer, order),
    inclusive: true,
  });
  if (asked.reply) {
    const reply = await replyPosition(publicDb, consultationId, asked.reply);
    if (!reply) return FIRST_PAGE;
    const { response_id, answered_at, answer_votes } = reply;
    return {
      answers: withAnswer({ id: response_id, created_at: answered_at, votes: answer_votes }),
      replies: { answer: response_id, cursor: cursorAt(reply, OLDEST_FIRST), inclusive: true },
    };
  }
  if (asked.answer) {
    const answer = await answerPosition(publicDb, consultationId, asked.answer);
    if (!answer) return FIRST_PAGE;
    return {
      answers: withAnswer(answer),
      replies: repliesCursor && { answer: answer.id, cursor: repliesCursor, inclusive: false },
    };
  }
  return { answers: cursor && { cursor, inclusive: false }, replies: null };
}

/**
 * Returns a page of a consultation's answers, each with a page of its replies (specification, section 2.6). Runs a
 * fixed number of SQL statements.
 * @throws AppError invalid_input for a cursor that this server did not issue
 */
export async function answersPage(request: RequestContext, consultationId: string, asked: PageQuery) {
  const { sort = "recent", answer, reply } = asked;
  const start = await startOf(request, consultationId, sort, asked);
  if (start.answers && (reply || (answer && !asked.replies_cursor))) {
    // If the first page contains the item, show it in its place.
    const first = await pageFrom(request, consultationId, sort, FIRST_PAGE);
    if (first.items.some((each) => (reply ? each.replies.some(({ id }) => id === reply) : each.id === answer)))
      return first;
  }
  return pageFrom(request, consultationId, sort, start);
}

async function pageFrom(request: RequestContext, consultationId: string, sort: AnswerSort, start: Start) {
  const { config, publicDb, db, now } = request.context;
  const viewer = request.session?.viewer ?? null;
  const rows = await answersOf(publicDb, consultationId, sort, start.answers, LIMITS.answersPage + 1, now()).execute();
  const { shown: answers, next_cursor } = pageOf(config.secret, rows, LIMITS.answersPage, ANSWER_ORDERS[sort]);
  const leaves_out = { answers: start.answers !== null, replies_of: start.replies?.answer ?? null };
  if (answers.length === 0) return { items: [], next_cursor: null, leaves_out };
  const ids = answers.map((answer) => answer.id);
  const taken = answers.reduce((sum, answer) => sum + Buffer.byteLength(answer.content), 0);
  const [replies, reactions] = await Promise.all([
    repliesOf(publicDb, ids, start.replies, LIMITS.consultationTexts - taken),
    viewer ? reactionsTo(db, ids, viewer.id) : [],
  ]);
  const shown = replies.map((reply) => reply.id);
  const own = viewer ? withinBytes(await ownReplies(db, ids, shown, viewer.id), new Set(shown)) : [];
  const repliesByAnswer = Map.groupBy(replies, (reply) => reply.response_id);
  const items = answers.map((answer) => {
    const reaction = reactions.find(({ id }) => id === answer.id);
    const shown = repliesByAnswer.get(answer.id) ?? [];
    const last = shown.at(-1);
    const ownLater = last ? own.filter((reply) => reply.response_id === answer.id && isAfter(reply, last)) : [];
    const mine = viewer?.id === answer.psychologist_id;
    return {
      ...answer,
      psychologist: presentPsychologistCard(answer.psychologist_id, answer),
      replies: presentReplies(shown, own),
      next_replies_cursor: nextOf(config.secret, shown),
      viewer: {
        vote: reaction?.vote ?? null,
        thanked: reaction?.thanked ?? false,
        thanks: mine ? (reaction?.thanks ?? 0) : null,
        replies: presentReplies(ownLater, own),
        mine,
        can: { vote: viewer !== null && !mine },
      },
    };
  });
  return { items, next_cursor, leaves_out };
}

type Place = { id: string; created_at: Date };

/** True if a reply is after another one in their order. */
const isAfter = (one: Place, other: Place) => {
  const later = one.created_at.getTime() - other.created_at.getTime();
  return later > 0 || (later === 0 && one.id > other.id);
};

/** Maps replies to views, with the rights to the viewer's own. The views never contain an author. */
function presentReplies(replies: OwnReplyRow[], own: OwnReplyRow[]): ReplyView[] {
  const ownIds = new Set(own.map(({ id }) => id));
  return replies.map(({ id, content, created_at, edited_at }) => ({
    id,
    content,
    created_at: minuteOf(created_at),
    edited_at: edited_at && minuteOf(edited_at),
    viewer: { mine: ownIds.has(id) },
  }));
}

/** Returns the viewer's own replies on the page and the newest others that fit. */
function withinBytes(own: OwnReplyRow[], shown: Set<string>): OwnReplyRow[] {
  let left: number = LIMITS.ownLatestTexts;
  return own
    .toReversed()
    .filter((reply) => {
      if (shown.has(reply.id)) return true;
      left -= Buffer.byteLength(reply.content);
      return left >= 0;
    })
    .toReversed();
}

/** Returns the cursor after these replies of an answer, or null if no reply follows. */
function nextOf(secret: string, replies: ReplyRow[]): string | null {
  const last = replies.at(-1);
  return last && last.found > replies.length ? writeCursor(secret, cursorAt(last, OLDEST_FIRST)) : null;
}

/**
 * Returns a page of an answer's replies, oldest first.
 * @throws AppError invalid_input for a cursor that this server did not issue
 */
export async function repliesPage(
  request: RequestContext,
  answerId: string,
  asked: string | undefined,
): Promise<Omit<RepliesView, "consultation_id">> {
  const { config, publicDb, db } = request.context;
  const viewer = request.session?.viewer ?? null;
  const cursor = readCursor(config.secret, asked, false);
  const start = cursor && { answer: answerId, cursor, inclusive: false };
  const rows = await repliesOf(publicDb, [answerId], start, LIMITS.consultationTexts);
  const shown = rows.map((reply) => reply.id);
  const own = viewer && shown.length ? await ownReplies(db, [], shown, viewer.id) : [];
  return { items: presentReplies(rows, own), next_cursor: nextOf(config.secret, rows) };
}
