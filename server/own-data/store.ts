import { sql } from "kysely";
import type { Db, Tx } from "../db.ts";

/** A person's account, for the file they take along. */
export const accountOf = (db: Db, id: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
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

export const consultationsOf = (db: Db, id: string) =>
  db
    .selectFrom("consultations")
    .select(["id", "title", "content", "country", "category", "is_anonymous", "author_name"])
    .select(["upvotes", "downvotes", "response_count", "created_at", "edited_at"])
    .where("user_id", "=", id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const answersOf = (db: Db, id: string) =>
  db
    .selectFrom("consultation_responses as answer")
    .innerJoin("consultations", "consultations.id", "answer.consultation_id")
    .select(["answer.id", "answer.consultation_id", "consultations.title as consultation_title", "answer.content"])
    .select(["answer.upvotes", "answer.downvotes", "answer.created_at", "answer.edited_at"])
    .where("psychologist_id", "=", id)
    .orderBy("answer.created_at")
    .orderBy("answer.id")
    .execute();

export const repliesOf = (db: Db, id: string) =>
  db
    .selectFrom("consultation_replies as reply")
    .innerJoin("consultation_responses as answer", "answer.id", "reply.response_id")
    .select(["reply.id", "reply.response_id as answer_id", "answer.consultation_id", "reply.content"])
    .select(["reply.created_at", "reply.edited_at"])
    .where("reply.user_id", "=", id)
    .orderBy("reply.created_at")
    .orderBy("reply.id")
    .execute();

export const reviewsOf = (db: Db, id: string) =>
  db
    .selectFrom("psychologist_reviews as review")
    .innerJoin("profiles", "profiles.id", "review.psychologist_id")
    .select(["review.psychologist_id", "profiles.full_name as psychologist_name", "rating", "comment", "show_name"])
    .select(["review.created_at", "review.edited_at"])
    .where("review.user_id", "=", id)
    .orderBy("review.created_at")
    .execute();

export const consultationVotesOf = (db: Db, id: string) =>
  db
    .selectFrom("consultation_votes")
    .select(["consultation_id", "vote_type", "created_at"])
    .where("user_id", "=", id)
    .orderBy("created_at")
    .execute();

export const answerVotesOf = (db: Db, id: string) =>
  db
    .selectFrom("response_votes")
    .select(["response_id", "vote_type", "created_at"])
    .where("user_id", "=", id)
    .orderBy("created_at")
    .execute();

export const membershipsOf = (db: Db, id: string) =>
  db
    .selectFrom("subscriptions")
    .select(["provider", "external_subscription_id", "plan_type", "amount", "currency", "status"])
    .select(["next_billing_date", "cancelled_at", "created_at"])
    .where("psychologist_id", "=", id)
    .orderBy("created_at")
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
    .selectFrom("checkout_attempts")
    .select(["provider", "external_id", "plan_type", "amount", "currency", "status", "created_at"])
    .where("psychologist_id", "=", id)
    .orderBy("created_at")
    .execute();

/** How much somebody wrote, by what becomes of it when they leave. */
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

/** What stands under somebody's name, and is deleted with the account. */
async function named(tx: Tx, id: string) {
  const consultations = await tx
    .selectFrom("consultations")
    .select("id")
    .where("user_id", "=", id)
    .where("is_anonymous", "=", false)
    .orderBy("id")
    .execute();
  const answers = await tx
    .selectFrom("consultation_responses")
    .select(["id", "consultation_id"])
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
export type Named = Awaited<ReturnType<typeof named>>;

const inOrder = (ids: string[]) => [...new Set(ids)].toSorted();

/**
 * Locks what is deleted with an account and what is counted anew because of it, in the order in which every command takes
 * its locks: consultations, answers, psychologists, the person.
 * @returns what stands under the name, or null when something came while we waited for a lock
 */
export async function lockNamed(tx: Tx, id: string): Promise<Named | null> {
  const before = await named(tx, id);
  const { consultations, answers, reviews } = before;
  const threads = inOrder(answers.map((answer) => answer.consultation_id));
  // All of the person's own: an anonymous one could be given a name meanwhile.
  await tx
    .selectFrom("consultations")
    .select("id")
    .where((either) =>
      either.or([either("user_id", "=", id), ...(threads.length ? [either("id", "in", threads)] : [])]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  const locked = await tx
    .selectFrom("consultation_responses")
    .select(["id", "psychologist_id"])
    .where((either) =>
      either.or([
        either("psychologist_id", "=", id),
        ...(consultations.length ? [either("consultation_id", "in", consultations)] : []),
      ]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  const psychologists = inOrder([
    id,
    ...locked.map((answer) => answer.psychologist_id),
    ...reviews.map((review) => review.psychologist_id),
  ]);
  await tx
    .selectFrom("psychologist_profiles")
    .select("id")
    .where("id", "in", psychologists)
    .orderBy("id")
    .forUpdate()
    .execute();
  await tx.selectFrom("profiles").select("id").where("id", "=", id).forUpdate().execute();
  const after = await named(tx, id);
  return JSON.stringify(after) === JSON.stringify(before) ? after : null;
}

export const deleteReviewById = (tx: Tx, id: string) =>
  tx.deleteFrom("psychologist_reviews").where("id", "=", id).execute();

/** Unties from somebody what they wrote without a name. @returns the ids, by what they are */
export async function untieNameless(tx: Tx, id: string, byColleague: boolean) {
  const consultations = await tx
    .updateTable("consultations")
    .set({ user_id: null })
    .where("user_id", "=", id)
    .where("is_anonymous", "=", true)
    .returning("id")
    .execute();
  const replies = await tx
    .updateTable("consultation_replies")
    .set({ user_id: null })
    .where("user_id", "=", id)
    .returning("id")
    .execute();
  const reviews = await tx
    .updateTable("psychologist_reviews")
    .set({ user_id: null, by_colleague: byColleague })
    .where("user_id", "=", id)
    .where("show_name", "=", false)
    .returning("id")
    .execute();
  return { consultation: consultations, reply: replies, review: reviews };
}

/** Deletes the person; account, sessions, consents and profile go with them, votes and payments are tied to nobody. */
export const deleteProfile = (tx: Tx, id: string) =>
  tx.deleteFrom("profiles").where("id", "=", id).returning(["email", "avatar_url"]).executeTakeFirst();

export const insertFarewell = (tx: Tx, row: { id: string; email: string; created_at: Date }) =>
  tx.insertInto("farewells").values(row).execute();

export const farewellById = (db: Db, id: string) =>
  db.selectFrom("farewells").select("email").where("id", "=", id).executeTakeFirst();

export const deleteFarewell = (db: Db, id: string) => db.deleteFrom("farewells").where("id", "=", id).execute();

export const deleteFarewellsBefore = (db: Db, moment: Date) =>
  db.deleteFrom("farewells").where("created_at", "<", moment).execute();

/** A review that is tied to nobody, with its psychologist. */
export const untiedReview = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_reviews")
    .select("psychologist_id")
    .where("id", "=", id)
    .where("user_id", "is", null)
    .executeTakeFirst();
