import type { NotNull } from "kysely";
import type { UserType } from "#shared/user-types.ts";
import type { Db, Row, Tx } from "../../database/handles.ts";
import { hasActiveGold } from "../../sessions/store.ts";

/** Reads all data of the user's own profile page with one query. */
export const ownProfile = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("profiles")
    .leftJoin("psychologist_profiles as psychologist", "psychologist.id", "profiles.id")
    .select([
      "profiles.id",
      "profiles.full_name",
      "profiles.email",
      "profiles.avatar_url",
      "profiles.user_type",
      "psychologist.specialty",
      "psychologist.country",
      "psychologist.license_number",
      "psychologist.bio",
      "psychologist.phone",
      "psychologist.whatsapp",
      "psychologist.website",
      "psychologist.is_verified",
      "psychologist.rejected_at",
      "psychologist.subscription_id",
      "psychologist.free_responses_used",
      "psychologist.max_free_responses",
      "psychologist.created_at",
    ])
    .select(hasActiveGold("psychologist", now).as("subscription_active"))
    .where("profiles.id", "=", id)
    // Every psychologist has the second row. No other user has a professional view.
    .$narrowType<{
      user_type: UserType;
      license_number: NotNull;
      is_verified: NotNull;
      free_responses_used: NotNull;
      max_free_responses: NotNull;
      created_at: NotNull;
    }>()
    .executeTakeFirst();

/** Locks a psychologist's row and returns the verified fields. */
export const lockPsychologistProfile = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["license_number", "country", "is_verified", "changed_since_check"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const lockProfile = (tx: Tx, id: string) =>
  tx.selectFrom("profiles").select(["full_name", "avatar_url"]).where("id", "=", id).forUpdate().executeTakeFirst();

export const setFullName = (tx: Tx, id: string, fullName: string, now: Date) =>
  tx.updateTable("profiles").set({ full_name: fullName, updated_at: now }).where("id", "=", id).execute();

export const setProfessional = (
  tx: Tx,
  id: string,
  fields: Partial<Omit<Row<"psychologist_profiles">, "is_verified">>,
) => tx.updateTable("psychologist_profiles").set(fields).where("id", "=", id).execute();
