/** Table `gold_grants`. */
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";
import { goldUntil } from "../gold-end-rules.ts";
import { currentMembership, membershipsOfPsychologist } from "../store.ts";

const selectGrants = (db: Db | Tx) =>
  db.selectFrom("gold_grants").select(["id", "psychologist_id", "starts_at", "ends_at", "reason", "ended_at"]);
export type GrantRow = Awaited<ReturnType<typeof grantsOf>>[number];

/** The newest grants of a psychologist: a new one ends the one in force. */
export const grantsOf = (db: Db | Tx, psychologistId: string) =>
  selectGrants(db)
    .where("psychologist_id", "=", psychologistId)
    .orderBy("starts_at", "desc")
    .orderBy("id", "desc")
    .limit(LIMITS.goldGrants)
    .execute();

/**
 * Stores until when a psychologist's Gold lasts: the later end of the current membership and the administrator's
 * grants.
 *
 * Only these rows determine it, so the order of payments, cancellations and grants does not matter. Lock the
 * psychologist first, and call it after each change of these rows.
 */
export async function updateGold(tx: Tx, psychologistId: string): Promise<void> {
  const membership = await currentMembership(tx, psychologistId);
  const gold_until = goldUntil(membership ? [membership] : [], await grantsOf(tx, psychologistId));
  await tx
    .updateTable("psychologist_profiles")
    .set({ gold_until, subscription_id: membership?.id ?? null })
    .where("id", "=", psychologistId)
    .execute();
}

export const insertGrant = (
  tx: Tx,
  row: { psychologist_id: string; starts_at: Date; ends_at: Date | null; reason: string; granted_by: string },
) => tx.insertInto("gold_grants").values(row).returning("id").executeTakeFirstOrThrow();

/** Ends the grants in force. */
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
