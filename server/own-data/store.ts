import { sql } from "kysely";
import type { Db, Tx } from "../database/handles.ts";
import { lockTextsOf } from "../threads/store.ts";

export const accountOf = (db: Db, id: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
    .leftJoin("mail_choices", "mail_choices.profile_id", "profiles.id")
    .select(sql<boolean>`coalesce(mail_choices.answers, true)`.as("answer_mails"))
    .select([
      "profiles.id",
      "full_name",
      "email",
      "user_type",
      "avatar_url",
      "profiles.created_at",
      "updated_at",
      "email_verified_at",
      "password_changed_at",
      "weekly_consultations_used",
      "weekly_window_started_at",
    ])
    .where("profiles.id", "=", id)
    .executeTakeFirst();

export const psychologistOf = (db: Db, id: string) =>
  db
    .selectFrom("psychologist_profiles")
    .select([
      "license_number",
      "specialty",
      "country",
      "bio",
      "phone",
      "whatsapp",
      "website",
      "created_at",
      "verified_at",
      "rejected_at",
      "total_reviews",
      "total_responses",
      "total_votes",
      "free_responses_used",
    ])
    .select(sql<number | null>`rating::float8`.as("rating"))
    .where("id", "=", id)
    .executeTakeFirst();

export const visitsOf = (db: Db, id: string) =>
  db
    .selectFrom("profile_view_days")
    .select([sql<string>`to_char(viewed_on, 'YYYY-MM-DD')`.as("day"), "views as visits"])
    .where("psychologist_id", "=", id)
    .orderBy("viewed_on")
    .execute();

export const sessionsWithEnd = (db: Db, id: string) =>
  db
    .selectFrom("sessions")
    .select(["device", "created_at", "seen_at", "expires_at"])
    .where("account_id", "=", id)
    .orderBy("created_at")
    .execute();

export const emailChangesOf = (db: Db, id: string) =>
  db
    .selectFrom("email_changes")
    .select(["old_email", "new_email", "created_at", "confirmed_at", "expires_at"])
    .where("account_id", "=", id)
    .orderBy("created_at")
    .execute();

/** Tables whose rows of a user are read in batches, with the column of the user's id. */
const OWNERS = {
  consultations: "user_id",
  consultation_responses: "psychologist_id",
  consultation_replies: "user_id",
  psychologist_reviews: "user_id",
  consultation_votes: "user_id",
  response_votes: "user_id",
} as const;
export type LongTable = keyof typeof OWNERS;

/** Returns the ids of a user's rows in a table, oldest first. */
export const idsOf = async (db: Db, table: LongTable, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${sql.ref(OWNERS[table])} = ${id} order by created_at, id`.execute(db);
  return rows.map((row) => row.id);
};

export const consultationsOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("consultations")
    .select(["id", "title", "content", "country", "category", "is_anonymous", "author_name", "mail_answers"])
    .select(["upvotes", "downvotes", "response_count", "created_at", "edited_at"])
    .where("user_id", "=", id)
    .where("id", "in", ids)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const answersOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("consultation_responses as answer")
    .innerJoin("consultations", "consultations.id", "answer.consultation_id")
    .select(["answer.id", "answer.consultation_id", "consultations.title as consultation_title", "answer.content"])
    .select(["answer.upvotes", "answer.downvotes", "answer.created_at", "answer.edited_at"])
    .where("psychologist_id", "=", id)
    .where("answer.id", "in", ids)
    .orderBy("answer.created_at")
    .orderBy("answer.id")
    .execute();

export const repliesOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("consultation_replies as reply")
    .innerJoin("consultation_responses as answer", "answer.id", "reply.response_id")
    .select(["reply.id", "reply.response_id as answer_id", "answer.consultation_id", "reply.content"])
    .select(["reply.created_at", "reply.edited_at"])
    .where("reply.user_id", "=", id)
    .where("reply.id", "in", ids)
    .orderBy("reply.created_at")
    .orderBy("reply.id")
    .execute();

export const reviewsOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("psychologist_reviews as review")
    .innerJoin("profiles", "profiles.id", "review.psychologist_id")
    .select(["review.psychologist_id", "profiles.full_name as psychologist_name", "rating", "comment", "show_name"])
    .select(["review.created_at", "review.edited_at"])
    .where("review.user_id", "=", id)
    .where("review.id", "in", ids)
    .orderBy("review.created_at")
    .orderBy("review.id")
    .execute();

export const consultationVotesOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("consultation_votes")
    .select(["consultation_id", "vote_type as vote", "created_at"])
    .where("user_id", "=", id)
    .where("id", "in", ids)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const answerVotesOf = (db: Db, id: string, ids: string[]) =>
  db
    .selectFrom("response_votes")
    .select(["response_id as answer_id", "vote_type as vote", "created_at"])
    .where("user_id", "=", id)
    .where("id", "in", ids)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const membershipsOf = (db: Db, id: string) =>
  db
    .selectFrom("subscriptions")
    .select(["provider", "external_subscription_id", "plan_type", "amount", "currency", "status"])
    .select(["next_billing_date", "cancelled_at", "created_at"])
    .where("psychologist_id", "=", id)
    .orderBy("created_at")
    .execute();

export const goldGrantsOf = (db: Db, id: string) =>
  db
    .selectFrom("gold_grants")
    .select(["starts_at", "ends_at", "reason", "ended_at"])
    .where("psychologist_id", "=", id)
    .orderBy("starts_at")
    .execute();

export const paymentsOf = (db: Db, id: string) =>
  db
    .selectFrom("payment_transactions as payment")
    .innerJoin("subscriptions", "subscriptions.id", "payment.subscription_id")
    .select(["payment.provider", "external_payment_id", "payment.amount", "payment.currency"])
    .select(["refunded_amount", "payment.status", "paid_at"])
    .where("psychologist_id", "=", id)
    .orderBy("paid_at")
    .execute();

export const checkoutsOf = (db: Db, id: string) =>
  db
    .selectFrom("checkouts")
    .select(["provider", "external_id", "plan_type", "amount", "currency", "state", "created_at"])
    .where("psychologist_id", "=", id)
    .orderBy("created_at")
    .execute();

/** Counts a user's texts by their fate when the account is deleted. */
export const countsOf = (db: Db, id: string) =>
  sql<{
    named_consultations: number;
    anonymous_consultations: number;
    answers: number;
    replies: number;
    named_reviews: number;
    nameless_reviews: number;
    votes: number;
  }>`
    select (select count(*) from consultations where user_id = ${id} and not is_anonymous)::integer as named_consultations,
      (select count(*) from consultations where user_id = ${id} and is_anonymous)::integer as anonymous_consultations,
      (select count(*) from consultation_responses where psychologist_id = ${id})::integer as answers,
      (select count(*) from consultation_replies where user_id = ${id})::integer as replies,
      (select count(*) from psychologist_reviews where user_id = ${id} and show_name)::integer as named_reviews,
      (select count(*) from psychologist_reviews where user_id = ${id} and not show_name)::integer as nameless_reviews,
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

export const insertFarewell = (tx: Tx, row: { id: string; email: string; created_at: Date }) =>
  tx.insertInto("farewells").values(row).execute();

export const farewellById = (db: Db, id: string) =>
  db.selectFrom("farewells").select("email").where("id", "=", id).executeTakeFirst();

export const deleteFarewell = (db: Db, id: string) => db.deleteFrom("farewells").where("id", "=", id).execute();

export const deleteFarewellsBefore = (db: Db, moment: Date) =>
  db.deleteFrom("farewells").where("created_at", "<", moment).execute();
