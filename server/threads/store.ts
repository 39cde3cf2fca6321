/**
 * SQL of threads: consultations with their answers and replies.
 *
 * Rows are locked in this order: consultation, answer, reply, psychologist, account; rows of one kind in the order of
 * their ids. So two transactions never wait for each other. Counters of rows are recounted under the lock of their
 * parent. Only counts of events (used free answers, received answers) are incremented.
 */
import { sql } from "kysely";
import { AppError } from "#shared/errors.ts";
import type { Vote } from "#shared/votes.ts";
import type { Db, PublicDb, Tx } from "../database/handles.ts";
import { hasActiveGold } from "../sessions/store.ts";

/** A list as one parameter: a statement has at most 65,535. */
const anyOf = (ids: string[]) => sql<string>`any(${ids}::uuid[])`;

export const lockConsultation = (tx: Tx, id: string) =>
  tx.selectFrom("consultations").select("id").where("id", "=", id).forUpdate().executeTakeFirst();

export const lockAnswer = (tx: Tx, id: string) =>
  tx
    .selectFrom("consultation_responses")
    .select(["id", "psychologist_id"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** Selects the fields that the answering rules need. */
const selectPsychologist = (db: Db | Tx, id: string, now: Date) =>
  db
    .selectFrom("psychologist_profiles")
    .select(["id", "is_verified", "free_responses_used", "max_free_responses"])
    .select(hasActiveGold("psychologist_profiles", now).as("has_gold"))
    .where("id", "=", id);

export const answeringPsychologist = (db: Db, id: string, now: Date) =>
  selectPsychologist(db, id, now).executeTakeFirst();

export const lockPsychologist = (tx: Tx, id: string, now: Date) =>
  selectPsychologist(tx, id, now).forUpdate().executeTakeFirst();

/**
 * Locks the answers of consultations.
 * @returns the ids of their psychologists, each once
 */
export async function lockAnswers(tx: Tx, consultations: string[]): Promise<string[]> {
  const answers = await tx
    .selectFrom("consultation_responses")
    .select(["id", "psychologist_id"])
    .where("consultation_id", "=", anyOf(consultations))
    .orderBy("id")
    .forUpdate()
    .execute();
  return [...new Set(answers.map((answer) => answer.psychologist_id))];
}

export async function lockPsychologists(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .selectFrom("psychologist_profiles")
    .select("id")
    .where("id", "=", anyOf(ids))
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Locks a consultation's replies after its answers, so that their latest text is stored. */
export const lockReplies = (tx: Tx, consultationId: string) =>
  sql`select r.id from consultation_replies r join consultation_responses above on above.id = r.response_id
    where above.consultation_id = ${consultationId} order by r.id for update of r`.execute(tx);

/**
 * Locks a user and everything that is deleted or recounted with the user.
 *
 * Locks in this order: consultations that the user wrote or answered; the user's answers, and all answers to the user's
 * consultations; the psychologists of these answers and of the user's reviews; the user.
 * @param texts under the user's name
 */
export async function lockTextsOf(
  tx: Tx,
  id: string,
  texts: { consultations: string[]; answers: { consultation_id: string }[]; reviews: { psychologist_id: string }[] },
): Promise<void> {
  const threads = texts.answers.map((answer) => answer.consultation_id);
  // All of the user's own, because an anonymous one could get a name before the lock.
  await tx
    .selectFrom("consultations")
    .select("id")
    .where((either) => either.or([either("user_id", "=", id), either("id", "=", anyOf(threads))]))
    .orderBy("id")
    .forUpdate()
    .execute();
  const answers = await tx
    .selectFrom("consultation_responses")
    .select(["id", "psychologist_id"])
    .where((either) =>
      either.or([either("psychologist_id", "=", id), either("consultation_id", "=", anyOf(texts.consultations))]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  await lockPsychologists(tx, [id, ...[...answers, ...texts.reviews].map((text) => text.psychologist_id)]);
  await tx.selectFrom("profiles").select("id").where("id", "=", id).forUpdate().execute();
}

const VOTES = {
  consultations: { votes: "consultation_votes", of: "consultation_id" },
  consultation_responses: { votes: "response_votes", of: "response_id" },
} as const;

/**
 * Stores a vote on a row and recounts in one statement. Call it with the row locked.
 *
 * The statement does not see the vote that it writes, so it counts the other votes and adds this one.
 */
export async function upsertVote(tx: Tx, table: keyof typeof VOTES, id: string, userId: string, vote: Vote) {
  const [votes, of] = [sql.table(VOTES[table].votes), sql.ref(VOTES[table].of)];
  const put =
    vote === "none"
      ? sql`delete from ${votes} where ${of} = ${id} and user_id = ${userId}`
      : sql`insert into ${votes} (${of}, user_id, vote_type) values (${id}, ${userId}, ${vote})
          on conflict (${of}, user_id) do update set vote_type = excluded.vote_type`;
  const { rows } = await sql<{ upvotes: number; downvotes: number }>`
    with put as (${put})
    update ${sql.table(table)} set upvotes = others.up + ${vote === "up" ? 1 : 0}::integer,
      downvotes = others.down + ${vote === "down" ? 1 : 0}::integer
    from (select count(*) filter (where vote_type = 'up')::integer as up,
        count(*) filter (where vote_type = 'down')::integer as down
      from ${votes} where ${of} = ${id} and user_id is distinct from ${userId}) others
    where id = ${id} returning upvotes, downvotes`.execute(tx);
  return { ...rows[0]!, vote: vote === "none" ? null : vote };
}

/** Recounts the answers of consultations. Deleted answers are not new, so new answers never exceed answers. */
const recountAnswers = (tx: Tx, ids: string[]) =>
  sql`update consultations set response_count = counted.n,
      answers_listed = greatest(answers_listed, answers_received - counted.n),
      answers_seen = greatest(answers_seen, answers_received - counted.n)
    from unnest(${ids}::uuid[]) as changed (id) cross join lateral
      (select count(*)::integer as n from consultation_responses where consultation_id = changed.id) counted
    where consultations.id = changed.id`.execute(tx);

/** Recounts an answer's replies, and stores the time of its newest reply or thanks. Call it with the answer locked. */
export const recountNews = (tx: Tx, answerId: string) =>
  sql`update consultation_responses set reply_count = replies.n,
      news_at = greatest(replies.newest, (select max(created_at) from response_thanks where response_id = ${answerId}))
    from (select count(*)::integer as n, max(created_at) as newest from consultation_replies
      where response_id = ${answerId}) replies
    where id = ${answerId}`.execute(tx);

/** Recounts the answers of psychologists and the votes on them. Call it with the rows locked. */
export const recountPsychologists = (tx: Tx, ids: string[]) =>
  sql`update psychologist_profiles p set (total_responses, total_votes) =
      (select count(*), coalesce(sum(votes), 0) from consultation_responses where psychologist_id = p.id)
    where id = any(${ids}::uuid[])`.execute(tx);

export const isVisible = async (publicDb: PublicDb, id: string) =>
  (await publicDb.selectFrom("consultations").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/**
 * Returns the error for a missing item: deleted or unknown. Inside a transaction it may have been deleted while we
 * waited for its lock.
 */
export async function missing(
  db: PublicDb | Db,
  id: string,
  code: "consultation_not_found" | "answer_not_found" | "reply_not_found",
): Promise<AppError> {
  const { rows } = await sql`select from deleted_items where id = ${id}`.execute(db);
  return new AppError(rows.length ? "gone" : code);
}

/**
 * Removes consultations with their answers, replies and votes, stores their ids as deleted, and recounts the
 * psychologists who answered. Call it with the consultations locked.
 */
export async function removeConsultations(tx: Tx, ids: string[]): Promise<void> {
  const psychologists = await lockAnswers(tx, ids);
  await lockPsychologists(tx, psychologists);
  await sql`
    insert into deleted_items (id)
    select unnest(${ids}::uuid[])
    union all select id from consultation_responses where consultation_id = any(${ids}::uuid[])
    union all select p.id from consultation_replies p
      join consultation_responses r on r.id = p.response_id where r.consultation_id = any(${ids}::uuid[])`.execute(tx);
  await tx.deleteFrom("consultations").where("id", "=", anyOf(ids)).execute();
  await recountPsychologists(tx, psychologists);
}

/**
 * Removes answers with their replies and votes, stores their ids as deleted, and recounts their consultations and
 * psychologists. Does not restore free answers. Call it with all of them locked.
 */
export async function removeAnswers(
  tx: Tx,
  answers: { id: string; consultation_id: string; psychologist_id: string }[],
): Promise<void> {
  const all = (field: "id" | "consultation_id" | "psychologist_id") => answers.map((answer) => answer[field]);
  await sql`
    insert into deleted_items (id)
    select unnest(${all("id")}::uuid[])
    union all select id from consultation_replies where response_id = any(${all("id")}::uuid[])`.execute(tx);
  await tx
    .deleteFrom("consultation_responses")
    .where("id", "=", anyOf(all("id")))
    .execute();
  await recountAnswers(tx, all("consultation_id"));
  await recountPsychologists(tx, all("psychologist_id"));
}

/**
 * Removes a reply and recounts its answer. Stores its time, which counts towards its author's daily limit. Call it with the
 * answer locked.
 */
export async function removeReply(tx: Tx, { id, answer_id }: { id: string; answer_id: string }): Promise<void> {
  await tx.insertInto("deleted_items").values({ id }).execute();
  await sql`
    with deleted as (delete from consultation_replies where id = ${id} returning id, response_id, user_id, created_at)
    insert into deleted_replies (id, response_id, user_id, created_at)
      select * from deleted where user_id is not null`.execute(tx);
  await recountNews(tx, answer_id);
}

/**
 * Deletes the user's own text in a transaction. If the administrator has just removed it, also deletes the stored
 * removal, so that an undo does not restore it. Nothing reveals whether a removal was stored.
 */
export async function deleteOwnText<Deleted>(
  db: Db,
  id: string,
  authorId: string,
  deletion: (tx: Tx) => Promise<Deleted>,
): Promise<Deleted> {
  try {
    return await db.transaction().execute(deletion);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "gone")) throw error;
    await sql`delete from removed_consultations where jsonb_path_exists(rows,
      '$.*[*] ? (@.id == $id && (@.user_id == $author || @.psychologist_id == $author))',
      jsonb_build_object('id', ${id}::text, 'author', ${authorId}::text))`.execute(db);
    // The administrator may have restored it while we waited for the row.
    return db.transaction().execute(deletion);
  }
}
