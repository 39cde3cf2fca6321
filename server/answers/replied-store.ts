import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Db } from "../database/handles.ts";

/** Returns a psychologist's answers with unread replies, the newest reply first; only for that psychologist. */
export const repliedAnswers = (db: Db, psychologistId: string) =>
  sql<{ id: string; new_replies: number; consultation_id: string; title: string }>`
    select r.id, unread.n as new_replies, c.id as consultation_id, c.title
    from consultation_responses r
      join consultations c on c.id = r.consultation_id
      cross join lateral (
        select count(*)::integer as n, max(created_at) as newest from consultation_replies
        where response_id = r.id and created_at > coalesce(r.replies_seen_at, '-infinity')
      ) unread
    where r.psychologist_id = ${psychologistId} and r.reply_count > 0 and unread.n > 0
    order by unread.newest desc, r.id limit ${LIMITS.repliedAnswers}`
    .execute(db)
    .then((result) => result.rows);

/**
 * Stores that a psychologist has read the replies to these answers. Writes only if there are unread ones.
 *
 * An answer stays marked if a lagging replica did not show every reply or if another transaction has locked it.
 * @param shown the psychologist's own answers, each with the number of replies on the page
 */
export const markRepliesSeen = (db: Db, psychologistId: string, shown: { id: string; reply_count: number }[]) =>
  sql`update consultation_responses r set replies_seen_at = unread.newest
    from (
      select own.id, (select max(created_at) from consultation_replies where response_id = own.id) as newest
      from consultation_responses own
        join unnest(${shown.map(({ id }) => id)}::uuid[], ${shown.map((one) => one.reply_count)}::integer[]) as shown (id, n)
          on shown.id = own.id and shown.n = own.reply_count
      where own.psychologist_id = ${psychologistId} and own.reply_count > 0 for update of own skip locked
    ) unread
    where r.id = unread.id and unread.newest > coalesce(r.replies_seen_at, '-infinity')`.execute(db);
