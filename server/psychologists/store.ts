import { createHmac } from "node:crypto";
import { type Expression, sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import { CARD } from "../answers/store.ts";
import { type Db, type PublicDb, queryRows } from "../database/handles.ts";
import { clientKey } from "../limits/client-network.ts";
import { hasActiveGold } from "../sessions/store.ts";

/**
 * Returns the first 10 of the ranking (specification, section 4.9): verified psychologists by rating, Gold, reviews,
 * answers; unreviewed ones last.
 *
 * Finds the 10 by an index on the rating and joins only these.
 */
export function rankedPsychologists(publicDb: PublicDb, country: string | undefined, now: Date) {
  const gold = hasActiveGold("ranked", now);
  const inOrder = (table: string, gold: Expression<boolean>) =>
    sql`${sql.ref(`${table}.rating`)} desc nulls last, ${gold} desc, ${sql.ref(`${table}.total_reviews`)} desc,
      ${sql.ref(`${table}.total_responses`)} desc, ${sql.ref(`${table}.id`)}`;
  let first = publicDb
    .selectFrom("verified_psychologists as ranked")
    .select(["ranked.id", gold.as("has_gold")])
    .orderBy(inOrder("ranked", gold))
    .limit(LIMITS.ranking);
  if (country) first = first.where("ranked.country", "=", country);
  return publicDb
    .selectFrom(first.as("first"))
    .innerJoin("psychologists", "psychologists.id", "first.id")
    .select(["psychologists.id", ...CARD, "psychologists.country", "psychologists.bio", "first.has_gold"])
    .orderBy(inOrder("psychologists", sql.ref("first.has_gold")))
    .execute();
}

export const publicPsychologist = (publicDb: PublicDb, id: string, now: Date) =>
  publicDb
    .selectFrom("psychologists")
    .leftJoin("verified_psychologists as verified", "verified.id", "psychologists.id")
    .select(["psychologists.id", ...CARD, "psychologists.country", "license_number", "psychologists.bio"])
    .select(["phone", "whatsapp", "website", "verified.verified_at"])
    .select(hasActiveGold("psychologists", now).as("has_gold"))
    .select(
      sql<number[]>`array(select count(reviews.id)::integer from generate_series(1, 5) stars
        left join reviews on reviews.rating = stars and reviews.psychologist_id = psychologists.id
        group by stars order by stars)`.as("rating_counts"),
    )
    .where("psychologists.id", "=", id)
    .executeTakeFirst();

export const latestAnswers = (publicDb: PublicDb, psychologistId: string) =>
  publicDb
    .selectFrom("answers")
    .innerJoin("consultations", "consultations.id", "answers.consultation_id")
    .select(["answers.id", "answers.content", "answers.created_at", "answers.upvotes", "answers.downvotes"])
    .select(["consultation_id", "consultations.title", "consultations.noindex"])
    .where("answers.psychologist_id", "=", psychologistId)
    .orderBy("answers.created_at", "desc")
    .orderBy("answers.id", "desc")
    .limit(LIMITS.profileAnswers)
    .execute();

export const psychologistStats = (db: Db, id: string) =>
  db
    .selectFrom("psychologist_profiles")
    .select(["country", "total_responses", "total_reviews", "total_votes", "rejected_at"])
    .select(sql<number | null>`rating::float8`.as("rating"))
    .where("id", "=", id)
    .executeTakeFirst();

export const isPsychologist = (db: Db, id: string) =>
  db.selectFrom("psychologist_profiles").select("id").where("id", "=", id).executeTakeFirst();

/**
 * Keyed hash of a visitor, stored for a day to count each visitor once.
 *
 * Its key changes daily and it differs per profile, so that visits cannot be linked across days or profiles.
 */
export function viewerHash(secret: string, id: string, visitor: { address: string; userAgent: string }, day: string) {
  const key = createHmac("sha256", secret).update(`profile-view:${day}`).digest();
  return createHmac("sha256", key)
    .update([id, clientKey(visitor.address), visitor.userAgent].join("\n"))
    .digest();
}

/**
 * Counts a visit unless this mark was counted that day or `within` is false. One statement, so that exactly one of
 * concurrent calls counts.
 *
 * Always locks the psychologist's row, so that it is not deleted, and so that an uncounted visit takes as long.
 */
export const insertProfileView = (
  db: Db,
  { psychologist_id, day, mark, within }: { psychologist_id: string; day: string; mark: Buffer; within: boolean },
) =>
  sql`
    with psychologist as (
      select id from psychologist_profiles where id = ${psychologist_id} for key share
    ), marked as (
      insert into profile_views (psychologist_id, viewed_on, viewer_hash)
        select id, ${day}::date, ${mark}::bytea from psychologist where ${within}
        on conflict do nothing returning psychologist_id
    ), added as (
      insert into profile_view_counts as days (psychologist_id, viewed_on, views)
        select psychologist_id, ${day}::date, 1 from marked
        on conflict (psychologist_id, viewed_on) do update set views = days.views + 1
    )
    select from psychologist`.execute(db);

export const viewCount = (db: Db, psychologistId: string): Promise<number> =>
  queryRows(db)<{ n: number }>`select coalesce(sum(views), 0)::integer as n from profile_view_counts
    where psychologist_id = ${psychologistId}`.then(([row]) => row!.n);

/** Returns the counts of a profile on each of the last days (UTC), oldest first, up to `today`. */
export function statisticsDays(db: Db, psychologistId: string, today: string, days: number) {
  const since = sql`(${today}::date - ${days - 1}::integer)`;
  return queryRows(db)<{ date: string; visits: number; answers: number; reviews: number; votes: number }>`
    with visited as (
      select viewed_on as day, views as n from profile_view_counts
        where psychologist_id = ${psychologistId} and viewed_on >= ${since}
    ), answered as (
      select created_at::date as day, count(*) as n from consultation_responses
        where psychologist_id = ${psychologistId} and created_at >= ${since} group by 1
    ), reviewed as (
      select created_at::date as day, count(*) as n from psychologist_reviews
        where psychologist_id = ${psychologistId} and created_at >= ${since} group by 1
    ), voted as (
      select v.created_at::date as day, count(*) filter (where vote_type = 'up') - count(*) filter (where vote_type = 'down') as n
        from consultation_responses r
          -- "offset 0" makes it a loop over the psychologist's own answers. The planner would rather scan all votes.
          cross join lateral (select created_at, vote_type from response_votes where response_id = r.id offset 0) v
        where r.psychologist_id = ${psychologistId} and v.created_at >= ${since} group by 1
    )
    select to_char(each.day, 'YYYY-MM-DD') as date, coalesce(visited.n, 0)::integer as visits,
      coalesce(answered.n, 0)::integer as answers, coalesce(reviewed.n, 0)::integer as reviews, coalesce(voted.n, 0)::integer as votes
    from (select ${since} + step as day from generate_series(0, ${days - 1}::integer) step) each
      left join visited using (day) left join answered using (day) left join reviewed using (day) left join voted using (day)
    order by each.day`;
}
