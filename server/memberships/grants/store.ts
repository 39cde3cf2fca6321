/** Table `gold_grants`. */
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { GoldEnd } from "../rules.ts";
import { membershipsOfPsychologist } from "../store.ts";

const selectGrants = (db: Db | Tx) =>
  db.selectFrom("gold_grants").select(["id", "psychologist_id", "starts_at", "ends_at", "reason", "ended_at"]);
export type GrantRow = Awaited<ReturnType<typeof grantsOf>>[number];

/** A psychologist's grants, the newest first. */
export const grantsOf = (db: Db | Tx, psychologistId: string) =>
  selectGrants(db)
    .where("psychologist_id", "=", psychologistId)
    .orderBy("starts_at", "desc")
    .orderBy("id", "desc")
    .limit(LIMITS.goldGrants)
    .execute();

/**
 * The end of the Gold of all grants that were not ended early; may be in the past.
 * @returns null if there are no grants
 */
export const grantedUntil = (tx: Tx, psychologistId: string): Promise<GoldEnd> =>
  selectGrants(tx)
    .where("psychologist_id", "=", psychologistId)
    .where("ended_at", "is", null)
    .orderBy("ends_at", (order) => order.desc().nullsFirst())
    .executeTakeFirst()
    .then((row) => (row ? (row.ends_at ?? "infinity") : null));

export const insertGrant = (
  tx: Tx,
  row: { psychologist_id: string; starts_at: Date; ends_at: Date | null; reason: string; granted_by: string },
) => tx.insertInto("gold_grants").values(row).returning("id").executeTakeFirstOrThrow();

/** Ends the grants in force. Does not change expired grants. */
export const endGrants = (tx: Tx, psychologistId: string, row: { ended_at: Date; ended_by: string }) =>
  tx
    .updateTable("gold_grants")
    .set(row)
    .where("psychologist_id", "=", psychologistId)
    .where("ended_at", "is", null)
    .where((where) => where.or([where("ends_at", "is", null), where("ends_at", ">", row.ended_at)]))
    .execute();

/** Reads a psychologist and all rows that determine Gold at a moment. @returns undefined if the id is unknown */
export async function goldRow(db: Db | Tx, id: string, now: Date) {
  const psychologist = await db
    .selectFrom("psychologist_profiles")
    .innerJoin("profiles", "profiles.id", "psychologist_profiles.id")
    .select(["profiles.id", "profiles.full_name", "profiles.email", "is_verified"])
    .where("profiles.id", "=", id)
    .executeTakeFirst();
  if (!psychologist) return undefined;
  const memberships = await membershipsOfPsychologist(db, id);
  return { psychologist, memberships, grants: await grantsOf(db, id), now };
}
export type GoldRow = NonNullable<Awaited<ReturnType<typeof goldRow>>>;

/** A grant with the name and email of its psychologist. */
export const grantToNotify = (db: Db, id: string) =>
  db
    .selectFrom("gold_grants")
    .innerJoin("profiles", "profiles.id", "gold_grants.psychologist_id")
    .select(["profiles.id as psychologist_id", "full_name", "email", "ends_at", "reason", "ended_at"])
    .where("gold_grants.id", "=", id)
    .executeTakeFirst();
