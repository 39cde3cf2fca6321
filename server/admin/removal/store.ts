import { sql } from "kysely";
import { visibleConsultation } from "../../consultations/store.ts";
import type { Db, PublicDb, Tx } from "../../database/handles.ts";

/** A consultation as everyone sees it, read in the transaction that holds its lock. */
export const consultationToRemove = (tx: Tx, id: string) =>
  visibleConsultation((tx as unknown as PublicDb).withSchema("visible"), id);

export type VisibleConsultationRow = NonNullable<Awaited<ReturnType<typeof consultationToRemove>>>;

/** The rows that are removed with a consultation, parents first: the table, its author column, and the condition. */
const REMOVED_TABLES = [
  { source: "consultations", author: "user_id", rows: sql`consultations r where r.id = ` },
  { source: "consultation_votes", author: "user_id", rows: sql`consultation_votes r where r.consultation_id = ` },
  {
    source: "consultation_responses",
    author: "psychologist_id",
    rows: sql`consultation_responses r where r.consultation_id = `,
  },
  {
    source: "response_votes",
    author: "user_id",
    rows: sql`response_votes r join consultation_responses above on above.id = r.response_id where above.consultation_id = `,
  },
  {
    source: "consultation_replies",
    author: "user_id",
    rows: sql`consultation_replies r join consultation_responses above on above.id = r.response_id where above.consultation_id = `,
  },
] as const;

/** Stores a consultation with all rows below it, to undo its removal. Call it with everything locked. */
export async function saveRemovedRows(
  tx: Tx,
  kept: { decision_id: string; consultation_id: string; credit_window: Date | null; removed_at: Date },
): Promise<void> {
  await tx.insertInto("removed_consultations").values(kept).execute();
  for (const { source, author, rows } of REMOVED_TABLES)
    await sql`insert into removed_rows (source, id, consultation_id, author_id, data)
      select ${source}, r.id, ${kept.consultation_id}::uuid, r.${sql.ref(author)}, to_jsonb(r) from ${rows}${kept.consultation_id}`.execute(
      tx,
    );
}

/** Locks a stored removal: of an undo and the job that deletes it exactly one gets it. */
export const lockRemoval = (tx: Tx, decisionId: string) =>
  tx
    .selectFrom("removed_consultations")
    .select(["consultation_id", "credit_window"])
    .where("decision_id", "=", decisionId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Locks the authors of stored rows, in the order of every command, so that no account is deleted meanwhile; then the rows.
 * @returns the psychologists, and the consultation's row if it is still stored
 */
export async function lockRemovedRows(tx: Tx, consultationId: string) {
  const authors = sql`select author_id from removed_rows where consultation_id = ${consultationId}`;
  const psychologists = await sql<{ id: string }>`select id from psychologist_profiles
    where id in (${authors} and source = 'consultation_responses') order by id for update`.execute(tx);
  await sql`select id from profiles where id in (${authors}) order by id for key share`.execute(tx);
  const kept = await sql<{ source: string; author_id: string | null }>`select source, author_id from removed_rows
    where consultation_id = ${consultationId} order by source, id for update`.execute(tx);
  const consultation = kept.rows.find(({ source }) => source === "consultations");
  return { psychologists: psychologists.rows.map(({ id }) => id), consultation };
}

/**
 * Restores stored rows. Votes of deleted accounts are anonymised; their other texts, and the rows below these, are not
 * restored. Call it with everything locked; recount afterwards.
 */
export async function restoreRemovedRows(tx: Tx, consultationId: string): Promise<void> {
  for (const { source, author } of REMOVED_TABLES) {
    const columns = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = ${source}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(tx);
    const here = sql`(author_id is null or exists (select from ${sql.table(author === "psychologist_id" ? "psychologist_profiles" : "profiles")} author where author.id = author_id))`;
    const isVote = source === "consultation_votes" || source === "response_votes";
    const hasAnswer = sql`exists (select from consultation_responses above where above.id = (data ->> 'response_id')::uuid)`;
    await sql`insert into ${sql.table(source)} (${sql.join(columns.rows.map(({ name }) => sql.ref(name)))})
      select ${sql.join(columns.rows.map(({ name }) => sql`(whole).${sql.ref(name)}`))} from (
        select jsonb_populate_record(null::${sql.table(source)}, case when ${here} then data else data || '{"user_id": null}' end) as whole
        from removed_rows where source = ${source} and consultation_id = ${consultationId}
          and ${isVote ? sql`true` : here} and ${source === "response_votes" || source === "consultation_replies" ? hasAnswer : sql`true`}
      ) kept`.execute(tx);
  }
  await sql`delete from deleted_items where id = ${consultationId}
    or id in (select id from consultation_responses where consultation_id = ${consultationId})
    or id in (select r.id from consultation_replies r join consultation_responses above on above.id = r.response_id
      where above.consultation_id = ${consultationId})`.execute(tx);
}

/** Deletes a stored removal. */
export const deleteRemoval = (db: Db, decisionId: string) =>
  db.deleteFrom("removed_consultations").where("decision_id", "=", decisionId).execute();

/** Deletes stored removals before a time, whose jobs failed. */
export const deleteRemovalsBefore = (db: Db, moment: Date) =>
  db.deleteFrom("removed_consultations").where("removed_at", "<", moment).execute();
