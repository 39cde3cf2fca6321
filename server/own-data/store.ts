import { sql } from "kysely";
import type { AccountDeletionView } from "#shared/own-data.ts";
import type { Db, Row, Tx } from "../database/handles.ts";
import { lockTextsOf } from "../threads/store.ts";

/** Counts a user's texts by their fate when the account is deleted. */
export const countsOf = (db: Db, id: string) =>
  sql<Omit<AccountDeletionView, "membership">>`
    select (select count(*) from consultations where user_id = ${id} and not is_anonymous)::integer as named_consultations,
      (select count(*) from consultations where user_id = ${id} and is_anonymous)::integer as anonymous_consultations,
      (select count(*) from consultation_responses where psychologist_id = ${id})::integer as answers,
      (select count(*) from consultation_replies where user_id = ${id})::integer as replies,
      (select count(*) from psychologist_reviews where user_id = ${id} and show_name)::integer as named_reviews,
      (select count(*) from psychologist_reviews where user_id = ${id} and not show_name)::integer as anonymous_reviews,
      ((select count(*) from consultation_votes where user_id = ${id})
        + (select count(*) from response_votes where user_id = ${id}))::integer as votes`
    .execute(db)
    .then((result) => result.rows[0]!);

/** Returns the texts under a user's name, which are deleted with the account. */
async function namedTexts(tx: Tx, id: string) {
  const consultations = await tx
    .selectFrom("consultations")
    .select("id")
    .where("user_id", "=", id)
    .where("is_anonymous", "=", false)
    .orderBy("id")
    .execute();
  const answers = await tx
    .selectFrom("consultation_responses")
    .select(["id", "consultation_id", "psychologist_id"])
    .where("psychologist_id", "=", id)
    .orderBy("id")
    .execute();
  const reviews = await tx
    .selectFrom("psychologist_reviews")
    .select(["id", "psychologist_id"])
    .where("user_id", "=", id)
    .where("show_name", "=", true)
    .orderBy("id")
    .execute();
  return { consultations: consultations.map((row) => row.id), answers, reviews };
}
export type NamedTexts = Awaited<ReturnType<typeof namedTexts>>;

/**
 * Locks everything that is deleted with an account or recounted because of it.
 * @returns the texts under the name, or null if they changed while we waited for a lock
 */
export async function lockNamedTexts(tx: Tx, id: string): Promise<NamedTexts | null> {
  const before = await namedTexts(tx, id);
  await lockTextsOf(tx, id, before);
  const after = await namedTexts(tx, id);
  return JSON.stringify(after) === JSON.stringify(before) ? after : null;
}

/** Deletes the profile and by cascade account, sessions and consents. Votes and payments become anonymous. */
export const deleteProfile = (tx: Tx, id: string) =>
  tx.deleteFrom("profiles").where("id", "=", id).returning(["email", "avatar_url"]).executeTakeFirst();

export const insertDeletedAccountEmail = (tx: Tx, row: Row<"deleted_account_emails">) =>
  tx.insertInto("deleted_account_emails").values(row).execute();

export const deletedAccountEmailById = (db: Db, id: string) =>
  db.selectFrom("deleted_account_emails").select("email").where("id", "=", id).executeTakeFirst();

export const deleteDeletedAccountEmail = (db: Db, id: string) =>
  db.deleteFrom("deleted_account_emails").where("id", "=", id).execute();
