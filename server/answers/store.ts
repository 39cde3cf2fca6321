import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { AnswerSort } from "#shared/lists.ts";
import type { Db, PublicDb, Tx } from "../db.ts";

/** Answers of a consultation with who wrote them, in one read. */
export function answersOf(publicDb: PublicDb, consultationId: string, sort: AnswerSort, now: Date) {
  let query = publicDb
    .selectFrom("answers")
    .innerJoin("psychologists", "psychologists.id", "answers.psychologist_id")
    .select([
      "answers.id",
      "answers.content",
      "answers.created_at",
      "answers.edited_at",
      "answers.upvotes",
      "answers.downvotes",
      "answers.psychologist_id",
    ])
    .select([
      "psychologists.full_name",
      "psychologists.avatar_url",
      "psychologists.specialty",
      "psychologists.is_verified",
      "psychologists.rating",
      "psychologists.total_reviews",
      "psychologists.total_responses",
    ])
    .select(sql<boolean>`coalesce(psychologists.gold_until > ${now}, false)`.as("has_gold"))
    .where("answers.consultation_id", "=", consultationId);
  if (sort === "votes") query = query.orderBy("answers.votes", "desc");
  const direction = sort === "oldest" ? "asc" : "desc";
  return query
    .orderBy("answers.created_at", direction)
    .orderBy("answers.id", direction)
    .limit(LIMITS.answersPage)
    .execute();
}

export type AnswerRow = Awaited<ReturnType<typeof answersOf>>[number];

/** Replies to several answers at once, oldest first. */
export const repliesOf = (publicDb: PublicDb, answerIds: string[]) =>
  publicDb
    .selectFrom("replies")
    .select(["id", "response_id", "content", "created_at", "edited_at"])
    .where("response_id", "in", answerIds)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export type ReplyRow = Awaited<ReturnType<typeof repliesOf>>[number];

/** The viewer's own votes on these answers. */
export const votesOnAnswers = (db: Db, answerIds: string[], viewerId: string) =>
  db
    .selectFrom("response_votes")
    .select(["response_id", "vote_type"])
    .where("response_id", "in", answerIds)
    .where("user_id", "=", viewerId)
    .execute();

/** The viewer's own replies among these answers' replies; for their own eyes. */
export const ownReplies = (db: Db, answerIds: string[], viewerId: string) =>
  db
    .selectFrom("consultation_replies")
    .select(["id", "user_id"])
    .where("response_id", "in", answerIds)
    .where("user_id", "=", viewerId)
    .execute();

/** An answer as its author reads it to correct it. */
export const answerToChange = (db: Db, id: string) =>
  db
    .selectFrom("consultation_responses")
    .select(["id", "content", "consultation_id", "psychologist_id"])
    .where("id", "=", id)
    .executeTakeFirst();

/** A reply as its author reads it to correct it. */
export const replyToChange = (db: Db, id: string) =>
  db
    .selectFrom("consultation_replies")
    .innerJoin("consultation_responses", "consultation_responses.id", "consultation_replies.response_id")
    .select([
      "consultation_replies.id",
      "consultation_replies.content",
      "consultation_replies.response_id",
      "consultation_replies.user_id",
      "consultation_responses.consultation_id",
    ])
    .where("consultation_replies.id", "=", id)
    .executeTakeFirst();

/** Locks a psychologist and tells what the answering rules need, as it stands now. */
export const lockPsychologist = (tx: Tx, id: string, now: Date) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["id", "is_verified", "free_responses_used", "max_free_responses"])
    .select(sql<boolean>`coalesce(gold_until > ${now}, false)`.as("has_gold"))
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const insertAnswer = (
  tx: Tx,
  row: { consultation_id: string; psychologist_id: string; content: string; created_at: Date },
) => tx.insertInto("consultation_responses").values(row).returning("id").executeTakeFirstOrThrow();

export const countFreeAnswer = (tx: Tx, psychologistId: string) =>
  tx
    .updateTable("psychologist_profiles")
    .set((column) => ({ free_responses_used: column("free_responses_used", "+", 1) }))
    .where("id", "=", psychologistId)
    .execute();

/** Counts a psychologist's answers and the votes on them again. Call it with the row locked. */
export const recountPsychologist = (tx: Tx, psychologistId: string) =>
  tx
    .updateTable("psychologist_profiles")
    .from((from) =>
      from
        .selectFrom("consultation_responses")
        .select([
          sql<number>`count(*)::integer`.as("answers"),
          sql<number>`coalesce(sum(votes), 0)::integer`.as("votes"),
        ])
        .where("psychologist_id", "=", psychologistId)
        .as("counted"),
    )
    .set((column) => ({ total_responses: column.ref("counted.answers"), total_votes: column.ref("counted.votes") }))
    .where("psychologist_profiles.id", "=", psychologistId)
    .execute();

export const lockAnswer = (tx: Tx, id: string) =>
  tx
    .selectFrom("consultation_responses")
    .select(["id", "psychologist_id"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export async function putAnswerVote(tx: Tx, id: string, userId: string, vote: "up" | "down" | "none"): Promise<void> {
  if (vote === "none") {
    await tx.deleteFrom("response_votes").where("response_id", "=", id).where("user_id", "=", userId).execute();
    return;
  }
  await tx
    .insertInto("response_votes")
    .values({ response_id: id, user_id: userId, vote_type: vote })
    .onConflict((conflict) => conflict.constraint("response_votes_one_each").doUpdateSet({ vote_type: vote }))
    .execute();
}

export const recountAnswerVotes = (tx: Tx, id: string) =>
  tx
    .updateTable("consultation_responses")
    .from((from) =>
      from
        .selectFrom("response_votes")
        .select([
          sql<number>`count(*) filter (where vote_type = 'up')::integer`.as("up"),
          sql<number>`count(*) filter (where vote_type = 'down')::integer`.as("down"),
        ])
        .where("response_id", "=", id)
        .as("counted"),
    )
    .set((column) => ({ upvotes: column.ref("counted.up"), downvotes: column.ref("counted.down") }))
    .where("consultation_responses.id", "=", id)
    .returning(["upvotes", "downvotes"])
    .executeTakeFirstOrThrow();

export const insertReply = (tx: Tx, row: { response_id: string; user_id: string; content: string; created_at: Date }) =>
  tx.insertInto("consultation_replies").values(row).returning("id").executeTakeFirstOrThrow();

export const updateAnswer = (tx: Tx, id: string, content: string, editedAt: Date) =>
  tx.updateTable("consultation_responses").set({ content, edited_at: editedAt }).where("id", "=", id).execute();

/** Deletes an answer with its replies and votes, and writes down that they were here. Call it with the answer locked. */
export async function deleteAnswer(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    insert into deleted_items (id, kind, deleted_at)
    select ${id}::uuid, 'answer', ${now}::timestamptz
    union all select id, 'reply', ${now} from consultation_replies where response_id = ${id}`.execute(tx);
  await tx.deleteFrom("consultation_responses").where("id", "=", id).execute();
}

export const lockReply = (tx: Tx, id: string) =>
  tx
    .selectFrom("consultation_replies")
    .select(["id", "user_id", "content"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const updateReply = (tx: Tx, id: string, content: string, editedAt: Date) =>
  tx.updateTable("consultation_replies").set({ content, edited_at: editedAt }).where("id", "=", id).execute();

export async function deleteReply(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.insertInto("deleted_items").values({ id, kind: "reply", deleted_at: now }).execute();
  await tx.deleteFrom("consultation_replies").where("id", "=", id).execute();
}
