import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import { type Db, type PublicDb, queryRows, type Tx } from "../database/handles.ts";

/** Returns the newest reviews of a psychologist. The view contains an author's name only if the author shows it. */
export const reviewsOf = (publicDb: PublicDb, psychologistId: string) =>
  publicDb
    .selectFrom("reviews")
    .select(["id", "rating", "comment", "created_at", "edited_at", "author_label", "by_colleague"])
    .where("psychologist_id", "=", psychologistId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(LIMITS.profileReviews)
    .execute();

/** Returns the viewer's own reviews of these psychologists through the private handle; only for the viewer. */
export const ownReviews = (db: Db | Tx, psychologistIds: string[], viewerId: string) =>
  db
    .selectFrom("psychologist_reviews")
    .select(["id", "psychologist_id", "rating", "comment", "show_name"])
    .where("user_id", "=", viewerId)
    .where("psychologist_id", "in", psychologistIds)
    .execute();

type Review = { psychologist_id: string; user_id: string; rating: number; comment: string | null; show_name: boolean };

/** Inserts or replaces a review; an identical one changes nothing, not even the edit time. */
export const upsertReview = (tx: Tx, { psychologist_id, user_id, rating, comment, show_name }: Review, now: Date) =>
  sql`insert into psychologist_reviews as old (psychologist_id, user_id, rating, comment, show_name, created_at)
    values (${psychologist_id}, ${user_id}, ${rating}, ${comment}, ${show_name}, ${now})
    on conflict (psychologist_id, user_id) do update
      set rating = excluded.rating, comment = excluded.comment, show_name = excluded.show_name, edited_at = ${now}
      where (old.rating, old.comment, old.show_name) is distinct from (excluded.rating, excluded.comment, excluded.show_name)`.execute(
    tx,
  );

export const deleteReview = (tx: Tx, psychologistId: string, userId: string) =>
  tx
    .deleteFrom("psychologist_reviews")
    .where("psychologist_id", "=", psychologistId)
    .where("user_id", "=", userId)
    .execute();

export const deleteReviewsById = (tx: Tx, ids: string[]) =>
  sql`delete from psychologist_reviews where id = any(${ids}::uuid[])`.execute(tx);

export const reviewedPsychologist = (tx: Tx, id: string) =>
  tx.selectFrom("psychologist_reviews").select("psychologist_id").where("id", "=", id).executeTakeFirst();

/** Recounts the reviews of psychologists and their average. Call it with the rows locked. */
export const recountReviews = (tx: Tx, psychologistIds: string[]) =>
  queryRows(tx)<{ total_reviews: number; rating: number | null }>`
    update psychologist_profiles p set (total_reviews, rating) =
      (select count(*), round(avg(rating), 1) from psychologist_reviews where psychologist_id = p.id)
    where id = any(${psychologistIds}::uuid[]) returning total_reviews, rating::float8 as rating`;
