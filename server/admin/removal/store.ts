import { type RawBuilder, sql } from "kysely";
import { publicConsultation } from "../../consultations/store.ts";
import type { Db, PublicDb, Tx } from "../../database/handles.ts";

/** Reads a consultation as all users see it, in the transaction that holds its lock. */
export const consultationToRemove = (tx: Tx, id: string) =>
  publicConsultation((tx as unknown as PublicDb).withSchema("visible"), id);

export type VisibleConsultationRow = NonNullable<Awaited<ReturnType<typeof consultationToRemove>>>;

type RemovedTable = {
  source: string;
  author: "user_id" | "psychologist_id";
  authors: "profiles" | "psychologist_profiles";
  /** Rows of a consultation as `r`; the consultation's id follows. */
  rows: RawBuilder<unknown>;
  /** Restored without an author if the account was deleted; other rows then stay deleted. */
  isVote?: boolean;
  /** Restored only if its answer exists. */
  isBelowAnswer?: boolean;
};

const user = { author: "user_id", authors: "profiles" } as const;
const psychologist = { author: "psychologist_id", authors: "psychologist_profiles" } as const;
/** A row below an answer, joined to it. */
const joinedToAnswer = sql`r join consultation_responses above on above.id = r.response_id where above.consultation_id = `;

/** The rows of a consultation, parents first. */
const REMOVED_TABLES: RemovedTable[] = [
  { source: "consultations", ...user, rows: sql`consultations r where r.id = ` },
  {
    source: "consultation_votes",
    ...user,
    rows: sql`consultation_votes r where r.consultation_id = `,
    isVote: true,
  },
  {
    source: "consultation_responses",
    ...psychologist,
    rows: sql`consultation_responses r where r.consultation_id = `,
  },
  {
    source: "response_votes",
    ...user,
    rows: sql`response_votes ${joinedToAnswer}`,
    isVote: true,
    isBelowAnswer: true,
  },
  {
    source: "response_thanks",
    ...user,
    rows: sql`response_thanks ${joinedToAnswer}`,
    isVote: true,
    isBelowAnswer: true,
  },
  {
    source: "consultation_replies",
    ...user,
    rows: sql`consultation_replies ${joinedToAnswer}`,
    isBelowAnswer: true,
  },
];

/** Stores a consultation with all rows below it, to undo its removal. Call it with everything locked. */
export async function saveRemovedRows(
  tx: Tx,
  removal: { decision_id: string; consultation_id: string; credit_window: Date | null; removed_at: Date },
): Promise<void> {
  await tx.insertInto("removed_consultations").values(removal).execute();
  for (const { source, author, rows } of REMOVED_TABLES)
    await sql`insert into removed_rows (source, id, consultation_id, author_id, data)
      select ${source}, r.id, ${removal.consultation_id}::uuid, r.${sql.ref(author)}, to_jsonb(r) from ${rows}${removal.consultation_id}`.execute(
      tx,
    );
}

/** Locks a stored removal. Exactly one of an undo and the job that deletes it gets the row. */
export const lockRemoval = (tx: Tx, decisionId: string) =>
  tx
    .selectFrom("removed_consultations")
    .select(["consultation_id", "credit_window"])
    .where("decision_id", "=", decisionId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Locks the authors of stored rows in the order of every command, then the rows. No account is deleted while the locks
 * are held.
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
 * Restores stored rows. Call it with everything locked and recount after it.
 *
 * Votes of deleted accounts become anonymous. Other texts of deleted accounts, and the rows below them, are not
 * restored.
 */
export async function restoreRemovedRows(tx: Tx, consultationId: string): Promise<void> {
  for (const { source, authors, isVote, isBelowAnswer } of REMOVED_TABLES) {
    const columns = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = ${source}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(tx);
    const authorExists = sql`(author_id is null or exists (select from ${sql.table(authors)} author where author.id = author_id))`;
    const answerExists = sql`exists (select from consultation_responses above where above.id = (data ->> 'response_id')::uuid)`;
    const restored = [
      sql`source = ${source}`,
      sql`consultation_id = ${consultationId}`,
      ...(isVote ? [] : [authorExists]),
      ...(isBelowAnswer ? [answerExists] : []),
    ];
    await sql`insert into ${sql.table(source)} (${sql.join(columns.rows.map(({ name }) => sql.ref(name)))})
      select ${sql.join(columns.rows.map(({ name }) => sql`(whole).${sql.ref(name)}`))} from (
        select jsonb_populate_record(null::${sql.table(source)}, case when ${authorExists} then data else data || '{"user_id": null}' end) as whole
        from removed_rows where ${sql.join(restored, sql` and `)}
      ) kept`.execute(tx);
  }
  await sql`delete from deleted_items where id = ${consultationId}
    or id in (select id from consultation_responses where consultation_id = ${consultationId})
    or id in (select r.id from consultation_replies r join consultation_responses above on above.id = r.response_id
      where above.consultation_id = ${consultationId})`.execute(tx);
}

export const deleteRemoval = (db: Db, decisionId: string) =>
  db.deleteFrom("removed_consultations").where("decision_id", "=", decisionId).execute();
