import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { AnswerSort } from "#shared/sorts.ts";
import { type Cursor, NEWEST_FIRST, OLDEST_FIRST, type Order } from "../cursor.ts";
import { type Db, type PublicDb, queryRows, type Tx } from "../database/handles.ts";
import { orderByKeyset } from "../database/keyset.ts";
import { consentWithdrawn, hasActiveGold } from "../sessions/store.ts";

/** Orders of a consultation's answers; each has an index. */
export const ANSWER_ORDERS: Record<AnswerSort, Order<"votes">> = {
  recent: NEWEST_FIRST,
  oldest: OLDEST_FIRST,
  votes: { key: "votes", direction: "desc" },
};

/** Columns of a psychologist's card, in addition to the id and Gold. */
export const CARD = [
  "psychologists.full_name",
  "psychologists.avatar_url",
  "psychologists.specialty",
  "psychologists.is_verified",
  "psychologists.rating",
  "psychologists.total_reviews",
  "psychologists.total_responses",
] as const;

/** Start of a page of answers: after this position, or at it if `inclusive`. */
export type AnswersStart = { cursor: Cursor; inclusive: boolean };

/** Returns a page of a consultation's answers with their psychologists, with one read of the order's index. */
export function answersOf(
  publicDb: PublicDb,
  consultationId: string,
  sort: AnswerSort,
  start: AnswersStart | null,
  limit: number,
  now: Date,
) {
  const query = publicDb
    .selectFrom("answers")
    .innerJoin("psychologists", "psychologists.id", "answers.psychologist_id")
    .select(["answers.id", "content", "created_at", "edited_at", "psychologist_id"])
    .select(["upvotes", "downvotes", "votes", "reply_count"])
    .select(CARD)
    .select(hasActiveGold("psychologists", now).as("has_gold"))
    .where("answers.consultation_id", "=", consultationId);
  return orderByKeyset(query, "answers", ANSWER_ORDERS[sort], start?.cursor ?? null, start ?? {}).limit(limit);
}

export const publicAnswer = (publicDb: PublicDb, id: string) =>
  publicDb.selectFrom("answers").select("consultation_id").where("id", "=", id).executeTakeFirst();

/** Returns the position of an answer in its consultation's list, or undefined if it belongs to another. */
export const answerPosition = (publicDb: PublicDb, consultationId: string, id: string) =>
  publicDb
    .selectFrom("answers")
    .select(["id", "votes", "created_at"])
    .where("id", "=", id)
    .where("consultation_id", "=", consultationId)
    .executeTakeFirst();

/** Returns the position of a reply and its answer, or undefined if it belongs to another consultation. */
export const replyPosition = (publicDb: PublicDb, consultationId: string, id: string) =>
  publicDb
    .selectFrom("replies")
    .innerJoin("answers", "answers.id", "replies.response_id")
    .select(["replies.id", "replies.created_at", "replies.response_id"])
    .select(["answers.votes as answer_votes", "answers.created_at as answered_at"])
    .where("replies.id", "=", id)
    .where("answers.consultation_id", "=", consultationId)
    .executeTakeFirst();

/** Start of the replies of one answer: after this reply, or at it if `inclusive`. */
export type RepliesStart = { answer: string; cursor: Cursor; inclusive: boolean };

export type ReplyRow = {
  id: string;
  response_id: string;
  content: string;
  created_at: Date;
  edited_at: Date | null;
  /** Number of the answer's replies from the start: one more than a page if a next page exists. */
  found: number;
};

/**
 * Returns the first replies of several answers, oldest first, with one read: at most a page per answer, the first of
 * each before the second of any, up to `bytes` of text but at least one.
 * @param start of one of them, if it does not begin at its first reply
 */
export const repliesOf = async (publicDb: PublicDb, answerIds: string[], start: RepliesStart | null, bytes: number) =>
  (await repliesQuery(answerIds, start, bytes).execute(publicDb)).rows;

export function repliesQuery(answerIds: string[], start: RepliesStart | null, bytes: number) {
  const page = LIMITS.repliesPage;
  const { cursor, answer = null, inclusive = false } = start ?? {};
  return sql<ReplyRow>`
    select id, response_id, content, created_at, edited_at, found from (
      select *, (count(*) over (partition by response_id))::integer as found,
        sum(octet_length(content)) over (order by rank, place) as weight
      from unnest(${answerIds}::uuid[]) with ordinality as asked (answer, place)
      cross join lateral (
        select id, response_id, content, created_at, edited_at, row_number() over (order by created_at, id) as rank
        from replies
        where response_id = asked.answer
          and (created_at, id) >= (
            case when asked.answer = ${answer}::uuid then ${cursor?.at ?? null}::timestamptz else '-infinity' end,
            ${cursor?.id ?? NIL}::uuid)
          and (${inclusive}::boolean or id is distinct from ${cursor?.id ?? null}::uuid)
        order by created_at, id limit ${page + 1}
      ) one
    ) weighed
    where rank <= ${page} and (rank = 1 or weight <= ${bytes})
    order by place, rank`;
}

/** Sorts before every id. */
const NIL = "00000000-0000-0000-0000-000000000000";

/** Returns the viewer's vote on each answer, whether the viewer thanked for it, and how many people did. */
export const reactionsTo = (db: Db, answerIds: string[], viewerId: string) =>
  queryRows(db)<{ id: string; vote: "up" | "down" | null; thanked: boolean; thanks: number }>`
    select answer as id, vote_type as vote, coalesce(thanked, false) as thanked, thanks
    from unnest(${answerIds}::uuid[]) as answer
      left join response_votes on response_id = answer and user_id = ${viewerId}
      cross join lateral (
        select bool_or(given.user_id = ${viewerId}) as thanked, count(*)::integer as thanks
        from response_thanks given where given.response_id = answer
      ) thanks`;

/** The viewer's own replies among these, and the viewer's newest to each of these answers; only for the viewer. */
export const ownReplies = (db: Db, answerIds: string[], replyIds: string[], viewerId: string) =>
  queryRows(db)<Omit<ReplyRow, "found">>`
    select id, response_id, content, created_at, edited_at from consultation_replies
      where id = any(${replyIds}::uuid[]) and user_id = ${viewerId}
    union
    select latest.* from unnest(${answerIds}::uuid[]) as answer cross join lateral (
      select id, response_id, content, created_at, edited_at from consultation_replies
      where user_id = ${viewerId} and response_id = answer
      order by created_at desc, id desc limit ${LIMITS.ownLatestReplies}
    ) latest
    order by created_at, id`;

export type OwnReplyRow = Awaited<ReturnType<typeof ownReplies>>[number];

/** Returns the time of the reply with which a user reached the limit of an answer, including deleted replies. */
export const lastReplyOfLimit = (tx: Tx, answerId: string, userId: string, since: Date) =>
  queryRows(tx)<{ created_at: Date }>`
    select created_at from (
      select response_id, user_id, created_at from consultation_replies
      union all select response_id, user_id, created_at from deleted_replies
    ) written
    where user_id = ${userId} and response_id = ${answerId} and created_at > ${since}
    order by created_at desc offset ${LIMITS.repliesPerDay - 1} limit 1`.then(([last]) => last?.created_at);

/** Queries of an answer or a reply to change, with its author. */
export const TEXTS_TO_CHANGE = {
  answer: (db: Db, id: string) =>
    db
      .selectFrom("consultation_responses")
      .select(["id", "id as answer_id", "content", "consultation_id", "psychologist_id as author_id"])
      .where("id", "=", id)
      .executeTakeFirst(),
  reply: (db: Db, id: string) =>
    db
      .selectFrom("consultation_replies as reply")
      .innerJoin("consultation_responses as answer", "answer.id", "response_id")
      .select(["reply.id", "answer.id as answer_id", "reply.content", "consultation_id", "user_id as author_id"])
      .where("reply.id", "=", id)
      .executeTakeFirst(),
};
export type TextKind = keyof typeof TEXTS_TO_CHANGE;

/**
 * Inserts an answer and updates the counts of its author, the consultation and the psychologist in one statement. Call
 * it with both locked.
 *
 * The statement does not see the answer that it inserts, so it adds one.
 */
export const insertAnswer = (
  tx: Tx,
  row: { consultation_id: string; psychologist_id: string; content: string; created_at: Date },
  usesFree: boolean,
) =>
  queryRows(tx)<{ id: string }>`
    with made as (
      insert into consultation_responses (consultation_id, psychologist_id, content, created_at)
      values (${row.consultation_id}, ${row.psychologist_id}, ${row.content}, ${row.created_at}) returning id
    ), answered as (update consultations set response_count = counted.n, answers_received = answers_received + 1
      from (select count(*)::integer + 1 as n from consultation_responses
        where consultation_id = ${row.consultation_id}) counted
      where id = ${row.consultation_id}
    ), answering as (
      update psychologist_profiles set total_responses = counted.answers, total_votes = counted.votes,
        free_responses_used = free_responses_used + ${Number(usesFree)}::integer
      from (select count(*)::integer + 1 as answers, coalesce(sum(votes), 0)::integer as votes
        from consultation_responses where psychologist_id = ${row.psychologist_id}) counted
      where id = ${row.psychologist_id}
    ) select id from made`.then(([made]) => made!);

/** Stores or deletes a person's thanks for an answer. A repeated call changes nothing. */
export const setThanks = (tx: Tx, responseId: string, userId: string, on: boolean) =>
  on
    ? tx
        .insertInto("response_thanks")
        .values({ response_id: responseId, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    : tx.deleteFrom("response_thanks").where("response_id", "=", responseId).where("user_id", "=", userId).execute();

export const insertReply = (tx: Tx, row: { response_id: string; user_id: string; content: string; created_at: Date }) =>
  tx.insertInto("consultation_replies").values(row).returning("id").executeTakeFirstOrThrow();

export const updateText = (tx: Tx, kind: TextKind, id: string, edit: { content: string; edited_at: Date }) =>
  tx
    .updateTable(kind === "answer" ? "consultation_responses" : "consultation_replies")
    .set(edit)
    .where("id", "=", id)
    .execute();

/** Selects a psychologist's stored texts, the oldest first; only for that psychologist. */
const selectTemplates = (db: Db, psychologistId: string) =>
  db
    .selectFrom("answer_templates")
    .select(["id", "title"])
    .where("psychologist_id", "=", psychologistId)
    .orderBy("created_at")
    .orderBy("id");

export const templatesOf = (db: Db, psychologistId: string) =>
  selectTemplates(db, psychologistId).select("content").execute();

/** Returns the texts without their contents, which a list of buttons does not need. */
export const templateTitlesOf = (db: Db, psychologistId: string) => selectTemplates(db, psychologistId).execute();

/** Inserts a text, or changes the one with the given id. */
export const putTemplate = (tx: Tx, row: { id?: string; psychologist_id: string; title: string; content: string }) =>
  tx
    .insertInto("answer_templates")
    .values(row)
    .onConflict((same) => same.column("id").doUpdateSet({ title: row.title, content: row.content }))
    .returning("id")
    .executeTakeFirstOrThrow();

export const deleteTemplate = (db: Db, id: string, psychologistId: string) =>
  db.deleteFrom("answer_templates").where("id", "=", id).where("psychologist_id", "=", psychologistId).execute();

/**
 * Claims the mail about new answers to a consultation and returns its author. A retry of the same mail claims it again.
 * @returns undefined if the author wants no mails, withdrew a consent, deleted the account, has seen the answers, or got
 * another mail about them
 */
export const claimAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  queryRows(db)<{ id: string; email: string }>`
    update consultations set answer_mail_id = ${mailId}::uuid
    from profiles left join mail_preferences on profile_id = profiles.id
    where consultations.id = ${consultationId} and profiles.id = user_id and notify_on_answer
      and answers_received > answers_listed and coalesce(answer_mail_id = ${mailId}::uuid, true)
      and coalesce(answers, true) and not ${consentWithdrawn}
    returning profiles.id, email`.then(([row]) => row);

export const releaseAnswerMail = (db: Db, consultationId: string, mailId: string) =>
  db
    .updateTable("consultations")
    .set({ answer_mail_id: null })
    .where("id", "=", consultationId)
    .where("answer_mail_id", "=", mailId)
    .execute();
