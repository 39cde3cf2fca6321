import { sql } from "kysely";
import type { Category, ConsultationSort, Country } from "#shared/lists.ts";
import type { Db, PublicDb, Tx } from "../db.ts";
import type { Cursor } from "./cursor.ts";

export type FeedFilter = { country?: Country; category?: Category; sort: ConsultationSort };

const SORT_COLUMN = { votes: "score", responses: "response_count" } as const;

const VISIBLE = [
  "id",
  "title",
  "content",
  "country",
  "category",
  "is_anonymous",
  "author_label",
  "created_at",
  "edited_at",
  "upvotes",
  "downvotes",
  "score",
  "response_count",
] as const;

/**
 * One page of the feed. Row comparison on exactly the columns of an index: the page is read in its order, from where
 * the last one ended, whatever the depth.
 */
export function feedPage(
  publicDb: PublicDb,
  { country, category, sort }: FeedFilter,
  cursor: Cursor | null,
  limit: number,
) {
  let query = publicDb.selectFrom("consultations").select(VISIBLE);
  if (country) query = query.where("country", "=", country);
  if (category) query = query.where("category", "=", category);
  if (sort === "recent" || sort === "oldest") {
    const direction = sort === "recent" ? "desc" : "asc";
    if (cursor)
      query = query.where(
        sort === "recent"
          ? sql<boolean>`(created_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
          : sql<boolean>`(created_at, id) > (${cursor.at}::timestamptz, ${cursor.id}::uuid)`,
      );
    query = query.orderBy("created_at", direction).orderBy("id", direction);
  } else {
    const column = SORT_COLUMN[sort];
    // "Up to and including the last item, but not it": the planner judges a row comparison by its first column alone, and
    // "<" tells it that nothing is left when most items share that number; it would then leave the filter's own index.
    if (cursor)
      query = query
        .where(
          sql<boolean>`(${sql.ref(column)}, created_at, id) <= (${cursor.key}::integer, ${cursor.at}::timestamptz, ${cursor.id}::uuid)`,
        )
        .where("id", "<>", cursor.id);
    query = query.orderBy(column, "desc").orderBy("created_at", "desc").orderBy("id", "desc");
  }
  return query.limit(limit);
}

export const visibleConsultation = (publicDb: PublicDb, id: string) =>
  publicDb.selectFrom("consultations").select(VISIBLE).where("id", "=", id).executeTakeFirst();

export const communityNumbers = (publicDb: PublicDb) =>
  publicDb.selectFrom("community_numbers").selectAll().executeTakeFirstOrThrow();

/** Whether a consultation is the viewer's own: asked through the private handle, for the viewer alone. */
export const isOwn = async (db: Db, id: string, viewerId: string) =>
  (await db
    .selectFrom("consultations")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", viewerId)
    .executeTakeFirst()) !== undefined;

export const voteOf = (db: Db, id: string, viewerId: string) =>
  db
    .selectFrom("consultation_votes")
    .select("vote_type")
    .where("consultation_id", "=", id)
    .where("user_id", "=", viewerId)
    .executeTakeFirst();

export const weeklyUse = (db: Db, profileId: string) =>
  db
    .selectFrom("profiles")
    .select(["weekly_consultations_used", "weekly_window_started_at"])
    .where("id", "=", profileId)
    .executeTakeFirst();

/** Where somebody asked last; for their own eyes. */
export const countryOfLast = (db: Db, profileId: string) =>
  db
    .selectFrom("consultations")
    .select("country")
    .where("user_id", "=", profileId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();

export const lockWeeklyUse = (tx: Tx, profileId: string) =>
  tx
    .selectFrom("profiles")
    .select(["weekly_consultations_used", "weekly_window_started_at"])
    .where("id", "=", profileId)
    .forUpdate()
    .executeTakeFirst();

export const setWeeklyUse = (tx: Tx, profileId: string, used: number, windowStart: Date) =>
  tx
    .updateTable("profiles")
    .set({ weekly_consultations_used: used, weekly_window_started_at: windowStart })
    .where("id", "=", profileId)
    .execute();

export type NewConsultation = {
  title: string;
  content: string;
  country: string;
  category: string | null;
  is_anonymous: boolean;
  author_name: string | null;
  user_id: string;
  created_at: Date;
};

export const insertConsultation = (tx: Tx, row: NewConsultation) =>
  tx.insertInto("consultations").values(row).returning("id").executeTakeFirstOrThrow();

export const lockConsultation = (tx: Tx, id: string) =>
  tx.selectFrom("consultations").select("id").where("id", "=", id).forUpdate().executeTakeFirst();

export async function putVote(tx: Tx, id: string, userId: string, vote: "up" | "down" | "none"): Promise<void> {
  if (vote === "none") {
    await tx.deleteFrom("consultation_votes").where("consultation_id", "=", id).where("user_id", "=", userId).execute();
    return;
  }
  await tx
    .insertInto("consultation_votes")
    .values({ consultation_id: id, user_id: userId, vote_type: vote })
    .onConflict((conflict) => conflict.constraint("consultation_votes_one_each").doUpdateSet({ vote_type: vote }))
    .execute();
}

/** Counts again instead of adding one: whatever drifted heals. Call it with the row locked. */
export const recountVotes = (tx: Tx, id: string) =>
  tx
    .updateTable("consultations")
    .from((from) =>
      from
        .selectFrom("consultation_votes")
        .select([
          sql<number>`count(*) filter (where vote_type = 'up')::integer`.as("up"),
          sql<number>`count(*) filter (where vote_type = 'down')::integer`.as("down"),
        ])
        .where("consultation_id", "=", id)
        .as("counted"),
    )
    .set((column) => ({ upvotes: column.ref("counted.up"), downvotes: column.ref("counted.down") }))
    .where("consultations.id", "=", id)
    .returning(["upvotes", "downvotes"])
    .executeTakeFirstOrThrow();

export const recountResponses = (tx: Tx, id: string) =>
  tx
    .updateTable("consultations")
    .set((update) => ({
      response_count: update
        .selectFrom("consultation_responses")
        .select(sql<number>`count(*)::integer`.as("n"))
        .where("consultation_id", "=", id),
    }))
    .where("id", "=", id)
    .execute();

/** Unanswered consultations, in one country or everywhere; counted up to 1,000, beyond which nobody needs the number. */
export const countUnanswered = (publicDb: PublicDb, country: string | null) => {
  let query = publicDb.selectFrom("consultations").select("id").where("response_count", "=", 0);
  if (country) query = query.where("country", "=", country);
  return publicDb
    .selectFrom(query.limit(1000).as("unanswered"))
    .select(sql<number>`count(*)::integer`.as("n"))
    .executeTakeFirstOrThrow();
};
