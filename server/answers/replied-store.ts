import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Db } from "../database/handles.ts";

/** Returns a psychologist's answers with unread replies, the newest reply first; only for that psychologist. */
export const repliedAnswers = (db: Db, psychologistId: string) =>
  sql<{ id: string; new_replies: number; first_new_reply: string; consultation_id: string; title: string }>`
    select r.id, unread.n as new_replies, unread.first as first_new_reply, c.id as consultation_id, c.title
    from consultation_responses r
      join consultations c on c.id = r.consultation_id
      cross join lateral (
        select count(*)::integer as n, max(created_at) as newest, (array_agg(id order by created_at, id))[1] as first
        from consultation_replies
        where response_id = r.id and created_at > coalesce(r.replies_seen_at, '-infinity')
      ) unread
    where r.psychologist_id = ${psychologistId} and r.reply_count > 0 and unread.n > 0
    order by unread.newest desc, r.id limit ${LIMITS.repliedAnswers}`
    .execute(db)
    .then((result) => result.rows);

/**
 * Stores that a psychologist has read the replies up to these, the last ones that a page showed. Writes only if there
 * are unread ones. A reply stays unread if another transaction has locked its answer.
 */
export const markRepliesSeen = (db: Db, psychologistId: string, lastShown: string[]) =>
  sql`update consultation_responses r set replies_seen_at = read.at
    from (
      select own.id, last.created_at as at from consultation_replies last
        join consultation_responses own on own.id = last.response_id
      where last.id = any(${lastShown}) and own.psychologist_id = ${psychologistId} for update of own skip locked
    ) read
    where r.id = read.id and read.at > coalesce(r.replies_seen_at, '-infinity')`.execute(db);
