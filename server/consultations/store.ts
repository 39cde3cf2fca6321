import { sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Category } from "#shared/categories.ts";
import type { Country } from "#shared/countries.ts";
import type { ConsultationSort } from "#shared/sorts.ts";
import { type Cursor, NEWEST_FIRST, OLDEST_FIRST, type Order } from "../cursor.ts";
import { type Db, type PublicDb, queryRows, type Row, type Tx } from "../database/handles.ts";
import { orderByKeyset } from "../database/keyset.ts";

export type FeedFilter = { country?: Country; category?: Category; sort: ConsultationSort };

/** Orders of the feed; each has an index for every filter. The unanswered ones are the end of the index by answers. */
export const FEED_ORDERS: Record<ConsultationSort, Order<"score" | "response_count">> = {
  recent: NEWEST_FIRST,
  oldest: OLDEST_FIRST,
  votes: { key: "score", direction: "desc" },
  responses: { key: "response_count", direction: "desc" },
  unanswered: NEWEST_FIRST,
};

/** Columns with the same value for the author and all other users. */
const CONTENT = ["title", "content", "country", "category", "is_anonymous", "noindex"] as const;
const NUMBERS = ["edited_at", "upvotes", "downvotes", "response_count"] as const;
/** Public columns of a consultation, including the sort columns. */
export const PUBLIC_COLUMNS = ["id", "created_at", "author_label", "score", ...CONTENT, ...NUMBERS] as const;

export function feedPage(
  publicDb: PublicDb,
  { country, category, sort }: FeedFilter,
  cursor: Cursor | null,
  limit: number,
) {
  let query = publicDb.selectFrom("consultations").select(PUBLIC_COLUMNS);
  if (country) query = query.where("country", "=", country);
  if (category) query = query.where("category", "=", category);
  if (sort === "unanswered") query = query.where("response_count", "=", 0);
  return orderByKeyset(query, "consultations", FEED_ORDERS[sort], cursor).limit(limit);
}

export const publicConsultation = (publicDb: PublicDb, id: string) =>
  publicDb.selectFrom("consultations").select(PUBLIC_COLUMNS).where("id", "=", id).executeTakeFirst();

export const communityNumbers = (publicDb: PublicDb) =>
  publicDb.selectFrom("community_numbers").selectAll().executeTakeFirstOrThrow();

/** Returns the viewer's own consultation through the private handle, or undefined; only for the viewer. */
export const ownConsultation = (db: Db, id: string, viewerId: string) =>
  db
    .selectFrom("consultations")
    .select(["id", "author_name", "notify_on_answer", "response_count"])
    .select(["answers_received", "answers_seen", "answer_mail_id"])
    .where("id", "=", id)
    .where("user_id", "=", viewerId)
    .executeTakeFirst();

export const voteOf = (db: Db, id: string, viewerId: string) =>
  db
    .selectFrom("consultation_votes")
    .select("vote_type")
    .where("consultation_id", "=", id)
    .where("user_id", "=", viewerId)
    .executeTakeFirst();

/** Returns a user's weekly use and the country of the user's last consultation; only for that user. */
export const weeklyUse = (db: Db, profileId: string) =>
  db
    .selectFrom("profiles")
    .select(["weekly_consultations_used", "weekly_window_started_at"])
    .select((from) =>
      from
        .selectFrom("consultations")
        .select("country")
        .whereRef("user_id", "=", "profiles.id")
        .orderBy("created_at", "desc")
        .limit(1)
        .as("country"),
    )
    .where("id", "=", profileId)
    .executeTakeFirst();

/** Returns the user's own consultations, newest first, each with its count of answers; only for the author. */
export function ownConsultations(db: Db, profileId: string, cursor: Cursor | null, limit: number) {
  const query = db
    .selectFrom("consultations")
    .innerJoin("profiles as author", "author.id", "consultations.user_id")
    .select(["consultations.id", "consultations.created_at", ...CONTENT, ...NUMBERS])
    .select(["answers_received", "answers_listed", "answers_seen", "answer_mail_id"])
    .select((from) =>
      jsonObjectFrom(
        from
          .selectFrom("consultation_responses as answer")
          .innerJoin("profiles", "profiles.id", "answer.psychologist_id")
          .select(["answer.id", "full_name as author", "answer.content"])
          .whereRef("consultation_id", "=", "consultations.id")
          .orderBy("answer.created_at", "desc")
          .orderBy("answer.id", "desc")
          .limit(1),
      ).as("newest_answer"),
    )
    .select(
      sql<string | null>`case when not is_anonymous then coalesce(author_name, author.full_name) end`.as(
        "author_label",
      ),
    )
    .where("user_id", "=", profileId);
  return orderByKeyset(query, "consultations", NEWEST_FIRST, cursor).limit(limit).execute();
}

/** "No key update": a concurrent vote, whose foreign key refers to this row, must not deadlock with this lock. */
export const lockWeeklyUse = (tx: Tx, profileId: string) =>
  tx
    .selectFrom("profiles")
    .select(["weekly_consultations_used", "weekly_window_started_at"])
    .where("id", "=", profileId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Builds the update of a user's weekly use; the caller executes it. */
export const setWeeklyUse = (tx: Pick<Tx, "updateTable">, profileId: string, used: number, windowStart: Date) =>
  tx
    .updateTable("profiles")
    .set({ weekly_consultations_used: used, weekly_window_started_at: windowStart })
    .where("id", "=", profileId);

type NewConsultation = Pick<
  Row<"consultations">,
  "title" | "content" | "country" | "category" | "is_anonymous" | "author_name" | "notify_on_answer" | "noindex"
> & { user_id: string; created_at: Date };

/** Inserts a consultation and sets its author's weekly use in one statement. */
export const insertConsultation = (tx: Tx, row: NewConsultation, used: number, windowStart: Date) =>
  tx
    .with("counted", (counting) => setWeeklyUse(counting, row.user_id, used, windowStart))
    .insertInto("consultations")
    .values(row)
    .returning("id")
    .executeTakeFirstOrThrow();

type ShownConsultation = { id: string; answers_received: number; answer_mail_id: string | null };

/**
 * Stores that the author's list showed these consultations, so that their next answers are mailed again.
 * @param opened true if their page did
 */
export const markListed = (db: Db, authorId: string, shown: ShownConsultation[], opened = false) =>
  sql`update consultations set answers_listed = greatest(answers_listed, shown.received),
      answers_seen = case when ${opened}::boolean then greatest(answers_seen, shown.received) else answers_seen end,
      answer_mail_id = nullif(answer_mail_id, shown.mail)
    from unnest(${shown.map((row) => row.id)}::uuid[], ${shown.map((row) => row.answers_received)}::integer[],
      ${shown.map((row) => row.answer_mail_id)}::uuid[]) as shown (id, received, mail)
    where consultations.id = shown.id and user_id = ${authorId}`.execute(db);

/** Counts unanswered consultations in one country or in all, up to 1,000, which is enough for the display. */
export const countUnanswered = (publicDb: PublicDb, country: string | null): Promise<number> =>
  // Selects only the column of the partial index, which spares the table.
  queryRows(publicDb)<{ n: number }>`select count(*)::integer as n from (
    select country from consultations where response_count = 0 ${country ? sql`and country = ${country}` : sql``} limit 1000
  ) unanswered`.then(([row]) => row!.n);

export const lockWholeConsultation = (tx: Tx, id: string) =>
  tx
    .selectFrom("consultations")
    .select(["id", "user_id", "author_name", "created_at", "notify_on_answer", ...CONTENT])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** @returns undefined if it is not the user's own consultation */
export const updateAnswerMails = (db: Db, id: string, authorId: string, notify_on_answer: boolean) =>
  db
    .updateTable("consultations")
    .set({ notify_on_answer })
    .where("id", "=", id)
    .where("user_id", "=", authorId)
    .returning("id")
    .executeTakeFirst();

export const updateConsultation = (tx: Tx, id: string, fields: Partial<NewConsultation> & { edited_at?: Date }) =>
  tx.updateTable("consultations").set(fields).where("id", "=", id).execute();
