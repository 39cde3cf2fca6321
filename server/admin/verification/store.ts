import { sql } from "kysely";
import { type Cursor, OLDEST_FIRST } from "../../cursor.ts";
import type { Db, Tx } from "../../database/handles.ts";
import { orderByKeyset } from "../../database/keyset.ts";
import type { Versioned } from "../../versions.ts";
import type { Verification } from "./rules.ts";

export const psychologistRows = (db: Db) =>
  db
    .selectFrom("psychologist_profiles")
    .innerJoin("profiles", "profiles.id", "psychologist_profiles.id")
    .select(["psychologist_profiles.id", "psychologist_profiles.created_at", "full_name", "email", "avatar_url"])
    .select(["license_number", "specialty", "country", "bio", "phone", "whatsapp", "is_verified", "verified_at"])
    .select(["rejected_at", "changed_since_check", "total_reviews", "total_responses"])
    .select(sql<number | null>`rating::float8`.as("rating"))
    // Lifetime memberships have infinity, which the driver returns as a number.
    .select(sql<Date | number | null>`gold_until`.as("gold_until"));

export type PsychologistRow = Awaited<ReturnType<typeof pendingPsychologists>>[number];

/** The card of a psychologist who waits for a decision. The decision considers all its fields. */
const cardOf = ({ is_verified, gold_until, rating, total_reviews, total_responses, ...card }: PsychologistRow) => ({
  ...card,
  changed_since_check: card.verified_at || card.rejected_at ? null : card.changed_since_check,
});
export const PSYCHOLOGIST: Versioned<PsychologistRow, ReturnType<typeof cardOf>> = {
  kind: "psychologist",
  present: cardOf,
};

/** Returns psychologists who wait for verification, the earliest registered first. */
export const pendingPsychologists = (db: Db, cursor: Cursor | null, limit: number) =>
  orderByKeyset(psychologistRows(db).where("verified_at", "is", null), "psychologist_profiles", OLDEST_FIRST, cursor)
    .limit(limit)
    .execute();

/** Locks a psychologist and the profile in the order of every command, then reads them. */
export async function lockPsychologistToDecide(tx: Tx, id: string): Promise<PsychologistRow | undefined> {
  await tx.selectFrom("psychologist_profiles").select("id").where("id", "=", id).forUpdate().execute();
  await tx.selectFrom("profiles").select("id").where("id", "=", id).forUpdate().execute();
  return psychologistRows(tx).where("psychologist_profiles.id", "=", id).executeTakeFirst();
}

export const setVerification = (tx: Tx, id: string, found: Verification) =>
  tx
    .updateTable("psychologist_profiles")
    .set(found)
    .where("id", "=", id)
    .returning(["id", "is_verified", "verified_at", "rejected_at"])
    .executeTakeFirstOrThrow();

/**
 * Returns the approval or rejection in force, whose mail may still be queued.
 * @returns undefined for a renewed check, about which no mail is sent
 */
export const mailedDecisionInForce = (tx: Tx, id: string, { verified_at, rejected_at }: Verification) =>
  tx
    .selectFrom("audit_log")
    .select("id")
    .where("created_at", "=", rejected_at ?? verified_at ?? new Date(0))
    .where("target_id", "=", id)
    .where("action", "=", rejected_at ? "psychologist_rejected" : "psychologist_approved")
    .executeTakeFirst();

/** Returns a psychologist with the verification that a mail depends on. */
export const verifiedPerson = (db: Db, id: string) =>
  db
    .selectFrom("psychologist_profiles")
    .innerJoin("profiles", "profiles.id", "psychologist_profiles.id")
    .select(["full_name", "email", "verified_at", "rejected_at", "free_responses_used"])
    .where("psychologist_profiles.id", "=", id)
    .executeTakeFirst();
