import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Db, PublicDb } from "../db.ts";

export const visiblePsychologist = (publicDb: PublicDb, id: string, now: Date) =>
  publicDb
    .selectFrom("psychologists")
    .select([
      "id",
      "full_name",
      "avatar_url",
      "specialty",
      "is_verified",
      "rating",
      "total_reviews",
      "total_responses",
      "country",
      "license_number",
      "bio",
      "phone",
      "whatsapp",
      "website",
    ])
    .select(sql<boolean>`coalesce(gold_until > ${now}, false)`.as("has_gold"))
    .where("id", "=", id)
    .executeTakeFirst();

/** The newest answers of a psychologist with the consultations they belong to. */
export const latestAnswers = (publicDb: PublicDb, psychologistId: string) =>
  publicDb
    .selectFrom("answers")
    .innerJoin("consultations", "consultations.id", "answers.consultation_id")
    .select([
      "answers.id",
      "answers.content",
      "answers.created_at",
      "answers.upvotes",
      "answers.downvotes",
      "consultations.id as consultation_id",
      "consultations.title",
    ])
    .where("answers.psychologist_id", "=", psychologistId)
    .orderBy("answers.created_at", "desc")
    .orderBy("answers.id", "desc")
    .limit(LIMITS.profileAnswers)
    .execute();

export const ownNumbers = (db: Db, id: string) =>
  db
    .selectFrom("psychologist_profiles")
    .select(["country", "total_responses", "total_votes"])
    .select(sql<number | null>`rating::float8`.as("rating"))
    .where("id", "=", id)
    .executeTakeFirst();
