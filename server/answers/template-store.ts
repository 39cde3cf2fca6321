import type { Db, Tx } from "../database/handles.ts";

/** Selects a psychologist's stored texts, the oldest first; only for that psychologist. */
const selectTemplates = (db: Db | Tx, psychologistId: string) =>
  db
    .selectFrom("answer_templates")
    .select(["id", "title"])
    .where("psychologist_id", "=", psychologistId)
    .orderBy("created_at")
    .orderBy("id");

export const templatesOf = (db: Db | Tx, psychologistId: string) =>
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
