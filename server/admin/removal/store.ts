import { sql } from "kysely";
import { publicConsultation } from "../../consultations/store.ts";
import { type Db, type PublicDb, queryRows, type Tx } from "../../database/handles.ts";
import { lockPsychologists } from "../../threads/store.ts";

/** Reads a consultation as all users see it, in the transaction that holds its lock. */
export const consultationToRemove = (tx: Tx, id: string) =>
  publicConsultation((tx as unknown as PublicDb).withSchema("visible"), id);

const joinedToAnswer = sql`r join consultation_responses above on above.id = r.response_id where above.consultation_id = `;

/** Tables of a consultation's rows, parents first, with the rows as `r`; the consultation's id follows. */
const REMOVED_TABLES = Object.entries({
  consultations: sql`r where r.id = `,
  consultation_votes: sql`r where r.consultation_id = `,
  consultation_responses: sql`r where r.consultation_id = `,
  response_votes: joinedToAnswer,
  response_thanks: joinedToAnswer,
  consultation_replies: joinedToAnswer,
});

/** Stores a consultation with all rows below it, to undo its removal. Call it with everything locked. */
export async function saveRemovedRows(
  tx: Tx,
  removal: { decision_id: string; consultation_id: string; credit_window: Date | null; removed_at: Date },
): Promise<void> {
  const rows = REMOVED_TABLES.map(
    ([table, where]) =>
      sql`${table}::text, (select coalesce(jsonb_agg(r), '[]') from ${sql.table(table)} ${where}${removal.consultation_id})`,
  );
  await tx
    .insertInto("removed_consultations")
    .values({ ...removal, rows: sql<string>`jsonb_build_object(${sql.join(rows)})` })
    .execute();
}

/**
 * Locks the authors of a removal's rows in the order of every command, then the removal. No account is deleted while
 * the locks are held. Exactly one of an undo and the job that deletes the removal gets it.
 * @returns undefined if the removal was deleted, or if an author deleted the account
 */
export async function lockRemoval(tx: Tx, decisionId: string) {
  const rows = await queryRows(tx)<{ user_id: string | null; psychologist_id: string | null }>`
    select distinct stored ->> 'user_id' as user_id, stored ->> 'psychologist_id' as psychologist_id
    from removed_consultations, jsonb_path_query(rows, '$.*[*]') as stored where decision_id = ${decisionId}`;
  const psychologists = rows.flatMap((row) => row.psychologist_id ?? []);
  const authors = [...new Set([...psychologists, ...rows.flatMap((row) => row.user_id ?? [])])];
  await lockPsychologists(tx, psychologists);
  const existing = await queryRows(tx)`select from profiles
    where id = any(${authors}::uuid[]) order by id for key share`;
  if (existing.length < authors.length) return undefined;
  const removal = await tx
    .selectFrom("removed_consultations")
    .select([
      "consultation_id",
      "credit_window",
      sql<string | null>`rows #>> '{consultations,0,user_id}'`.as("author_id"),
    ])
    .where("decision_id", "=", decisionId)
    .forUpdate()
    .executeTakeFirst();
  return removal && { ...removal, psychologists };
}

/** Restores the rows of a removal with their counters. Call it with the removal locked. */
export async function restoreRemovedRows(tx: Tx, consultationId: string): Promise<void> {
  for (const [table] of REMOVED_TABLES) {
    const columns = await queryRows(tx)<{ name: string }>`select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${names}) select ${names}
      from jsonb_populate_recordset(null::${sql.table(table)},
        (select rows -> ${table}::text from removed_consultations where consultation_id = ${consultationId}))`.execute(
      tx,
    );
  }
  await sql`delete from deleted_items where id = ${consultationId}
    or id in (select id from consultation_responses where consultation_id = ${consultationId})
    or id in (select r.id from consultation_replies r join consultation_responses above on above.id = r.response_id
      where above.consultation_id = ${consultationId})`.execute(tx);
}

export const deleteRemoval = (db: Db, decisionId: string) =>
  db.deleteFrom("removed_consultations").where("decision_id", "=", decisionId).execute();
