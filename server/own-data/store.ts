import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { AccountDeletionView } from "#shared/own-data.ts";
import { HOUR } from "#shared/time.ts";
import { type Db, queryRows, type Row, type Tx } from "../database/handles.ts";
import { lockTextsOf } from "../threads/store.ts";

/** Counts a user's texts by their fate when the account is deleted. */
export const countsOf = (db: Db, id: string) =>
  queryRows(db)<Omit<AccountDeletionView, "membership">>`
    select (select count(*) from consultations where user_id = ${id} and not is_anonymous)::integer as named_consultations,
      (select count(*) from consultations where user_id = ${id} and is_anonymous)::integer as anonymous_consultations,
      (select count(*) from consultation_responses where psychologist_id = ${id})::integer as answers,
      (select count(*) from consultation_replies where user_id = ${id})::integer as replies,
      (select count(*) from psychologist_reviews where user_id = ${id} and show_name)::integer as named_reviews,
      (select count(*) from psychologist_reviews where user_id = ${id} and not show_name)::integer as anonymous_reviews,
      ((select count(*) from consultation_votes where user_id = ${id})
        + (select count(*) from response_votes where user_id = ${id}))::integer as votes`.then(([row]) => row!);

/** Texts under a user's name, which are deleted with the account. */
type NamedTexts = {
  consultations: string[];
  answers: { id: string; consultation_id: string; psychologist_id: string }[];
  reviews: { id: string; psychologist_id: string }[];
};

const namedTexts = (tx: Tx, id: string) =>
  queryRows(tx)<NamedTexts>`
      select array(select id from consultations where user_id = ${id} and not is_anonymous order by id) as consultations,
        array(select jsonb_build_object('id', id, 'consultation_id', consultation_id, 'psychologist_id', psychologist_id)
          from consultation_responses where psychologist_id = ${id} order by id) as answers,
        array(select jsonb_build_object('id', id, 'psychologist_id', psychologist_id)
          from psychologist_reviews where user_id = ${id} and show_name order by id) as reviews`.then(
    ([texts]) => texts!,
  );

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

/** Texts without a name: their table, their condition, and what else changes when their author deletes the account. */
const ANONYMOUS_TEXTS = {
  consultation: {
    table: "consultations",
    where: sql`is_anonymous`,
    // Reset the author's mail choice and read marks.
    changes: sql`, notify_on_answer = false, answer_mail_id = null, answers_listed = answers_received, answers_seen = answers_received`,
  },
  reply: { table: "consultation_replies", where: sql`true`, changes: sql`` },
  review: {
    table: "psychologist_reviews",
    where: sql`not show_name`,
    changes: sql`, by_colleague = user_id in (select id from psychologist_profiles)`,
  },
};

/** A text whose author deleted the account; its author is null. */
export type AnonymisedText = { kind: keyof typeof ANONYMOUS_TEXTS; id: string };

/**
 * Returns a random time from 1 h to 71 h later. Texts with such times cannot be linked to the account or to each other.
 *
 * The last of the announced 3 days is an hour shorter, as a reserve for a server that was down. Not calculated in SQL,
 * because the database's random numbers are predictable.
 */
export const anonymisedTextDueAt = (now: Date) => new Date(now.getTime() + randomInt(HOUR, 71 * HOUR + 1));

/**
 * Anonymises the texts that a user wrote without a name. Each text gets a random time at which it is deleted
 * (`delete_at`) or rewritten (`rewrite_at`).
 */
export async function anonymiseTexts(tx: Tx, id: string, fate: "delete_at" | "rewrite_at", now: Date): Promise<void> {
  for (const { table, where, changes } of Object.values(ANONYMOUS_TEXTS)) {
    const rows = await queryRows(tx)<{ id: string }>`
      select id from ${sql.table(table)} where user_id = ${id} and ${where} order by id for update`;
    if (!rows.length) continue;
    await sql`update ${sql.table(table)} as written set user_id = null, ${sql.ref(fate)} = due.moment ${changes}
      from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map(() => anonymisedTextDueAt(now))}::timestamptz[]) as due (id, moment)
      where written.id = due.id`.execute(tx);
  }
}

/** Returns due anonymised texts, the longest overdue first. */
export function dueAnonymisedTexts(db: Db, now: Date) {
  const marked = Object.entries(ANONYMOUS_TEXTS).map(
    ([kind, { table }]) => sql`select ${kind}::text as kind, id, coalesce(delete_at, rewrite_at) as moment
      from ${sql.table(table)} where delete_at is not null or rewrite_at is not null`,
  );
  return queryRows(db)<AnonymisedText>`
    select kind, id from (${sql.join(marked, sql` union all `)}) as due
    where moment <= ${now} order by moment limit 500`;
}

/** True if an anonymised text must be deleted now; false if it stays or has an author. Locks it. */
export async function isDeletionDue(tx: Tx, { kind, id }: AnonymisedText, now: Date): Promise<boolean> {
  const found = await queryRows(tx)`select from ${sql.table(ANONYMOUS_TEXTS[kind].table)}
    where id = ${id} and user_id is null and delete_at <= ${now} for update`;
  return found.length > 0;
}

/**
 * Rewrites the row of an anonymised text that stays, in its own transaction. Until then its physical row is as old as
 * those anonymised with it.
 */
export const rewriteAnonymisedText = (db: Db, { kind, id }: AnonymisedText, now: Date) =>
  sql`update ${sql.table(ANONYMOUS_TEXTS[kind].table)} set rewrite_at = null where id = ${id} and rewrite_at <= ${now}`.execute(
    db,
  );
