import { sql } from "kysely";
import type { Db, Tx } from "../database/handles.ts";
import { recountReviews } from "../reviews/store.ts";
import { recountPsychologists } from "../threads/store.ts";

/** Serialises the loading of the demo: nodes that start at the same time wait and then find it loaded. */
export const lockDemo = (tx: Tx) => sql`select pg_advisory_xact_lock(4801, 3)`.execute(tx);

export const hasPeople = async (tx: Tx) =>
  (await tx.selectFrom("profiles").select("id").limit(1).executeTakeFirst()) !== undefined;

/** Rows of any table. One function inserts all tables of the demo and cannot know their columns. */
export type Rows = Record<string, unknown>[];

/** Inserts rows of one table, 500 at a time. */
export async function insertRows(tx: Tx, table: string, rows: Rows): Promise<void> {
  for (let from = 0; from < rows.length; from += 500)
    await tx
      .insertInto(table as "profiles")
      .values(rows.slice(from, from + 500) as never)
      .execute();
}

/** Recounts all counters from the rows. */
export async function recountEverything(tx: Tx): Promise<void> {
  await sql`update consultations c set
    upvotes = (select count(*) from consultation_votes v where v.consultation_id = c.id and v.vote_type = 'up'),
    downvotes = (select count(*) from consultation_votes v where v.consultation_id = c.id and v.vote_type = 'down'),
    response_count = counted.n, answers_received = counted.n, answers_listed = counted.n, answers_seen = counted.n
    from (select one.id, (select count(*)::integer from consultation_responses r where r.consultation_id = one.id) as n
      from consultations one) counted
    where counted.id = c.id`.execute(tx);
  await sql`update consultation_responses r set
    upvotes = (select count(*) from response_votes v where v.response_id = r.id and v.vote_type = 'up'),
    downvotes = (select count(*) from response_votes v where v.response_id = r.id and v.vote_type = 'down'),
    reply_count = (select count(*) from consultation_replies p where p.response_id = r.id),
    news_at = greatest((select max(p.created_at) from consultation_replies p where p.response_id = r.id),
      (select max(t.created_at) from response_thanks t where t.response_id = r.id))`.execute(tx);
  const psychologists = await tx.selectFrom("psychologist_profiles").select("id").execute();
  const ids = psychologists.map(({ id }) => id);
  await recountPsychologists(tx, ids);
  await recountReviews(tx, ids);
  await sql`update psychologist_profiles set free_responses_used = least(max_free_responses, total_responses)
    where gold_until is null`.execute(tx);
  await sql`update psychologist_profiles p set subscription_id = s.id
    from subscriptions s where s.psychologist_id = p.id and s.status = 'active'`.execute(tx);
}

export const analyze = (db: Db) => sql`analyze`.execute(db);

export const demoEmails = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("profiles").select("email").where("email", "like", "%@divan.example").execute()).map(
    ({ email }) => email,
  );
