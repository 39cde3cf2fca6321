import { type NotNull, sql } from "kysely";
import type { Consent } from "#shared/consents.ts";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { NotificationChoicesView } from "#shared/notifications.ts";
import type { UserType } from "#shared/user-types.ts";
import { type Db, queryRows, type Row, type Tx } from "../database/handles.ts";
import type { LockedAccount } from "../sessions/session.ts";
import { hasActiveGold } from "../sessions/store.ts";

const profileBy = (column: "id" | "email") => (db: Db, value: string) =>
  db.selectFrom("profiles").select(["id", "full_name", "email"]).where(column, "=", value).executeTakeFirst();
export const profileByEmail = profileBy("email");
export const profileById = profileBy("id");

export const credentialsByEmail = (db: Db, email: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
    .select(["profiles.id", "profiles.email", "accounts.password_hash"])
    .where("profiles.email", "=", email)
    .executeTakeFirst();

/** @throws AppError sign_in_required if the account no longer exists */
export const passwordOf = (db: Db, id: string) =>
  db
    .selectFrom("accounts")
    .select(["password_hash", "password_changed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("sign_in_required"));

export const setPassword = (tx: Tx, account: LockedAccount, passwordHash: string, now: Date) =>
  tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", account.id)
    .execute();

export const ownProfile = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("profiles")
    .leftJoin("psychologist_profiles as psychologist", "psychologist.id", "profiles.id")
    .select(["profiles.id", "full_name", "email", "avatar_url", "user_type", "specialty", "country", "license_number"])
    .select(["bio", "phone", "whatsapp", "website", "is_verified", "rejected_at", "subscription_id"])
    .select(["free_responses_used", "max_free_responses", "psychologist.created_at"])
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

/** Stores consents for a version; omits those that are in force for the same version. */
export const giveConsents = (db: Db, profileId: string, kinds: readonly Consent[], version: string, acceptedAt: Date) =>
  db
    .insertInto("consents")
    .values(kinds.map((kind) => ({ profile_id: profileId, kind, version, accepted_at: acceptedAt })))
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
    .execute();

/** Returns a user's latest consents of each kind. The consent in force ranks first, even before a later date. */
export const latestConsentsOf = (db: Db, profileId: string) =>
  queryRows(db)<{ kind: Consent; version: string; accepted_at: Date; withdrawn_at: Date | null }>`
    select kind, version, accepted_at, withdrawn_at from (
      select *, row_number() over (partition by kind order by withdrawn_at is null desc, accepted_at desc) as rank
      from consents where profile_id = ${profileId}
    ) ranked where rank <= ${LIMITS.consentsShown} order by accepted_at, kind`;

export const withdrawConsent = (db: Db, profileId: string, kind: Consent, now: Date) =>
  db
    .updateTable("consents")
    .set({ withdrawn_at: now })
    .where("profile_id", "=", profileId)
    .where("kind", "=", kind)
    .where("withdrawn_at", "is", null)
    .execute();

type UnsubscribeLink = { link_id: string; token_hash: Buffer };

/**
 * Returns the id from which a user's unsubscribe link is derived. Stores `fresh` if the user has no link.
 * @returns undefined if the profile was deleted
 */
export const unsubscribeLinkOf = (db: Db, profileId: string, fresh: UnsubscribeLink): Promise<string | undefined> =>
  queryRows(db)<{ link_id: string }>`insert into mail_preferences (profile_id, link_id, token_hash)
    select id, ${fresh.link_id}, ${fresh.token_hash} from profiles where id = ${profileId} for key share
    on conflict (profile_id) do update set profile_id = excluded.profile_id returning link_id`.then(
    ([row]) => row?.link_id,
  );

type Choices = Partial<Omit<NotificationChoicesView, "this_device" | "public_key">>;

/**
 * Stores choices; undefined ones stay. Turning mails on stores a new link and invalidates earlier ones. A digest begins
 * with consultations after `now`.
 */
export async function setChoices(
  tx: Tx,
  profileId: string,
  { digest, ...given }: Choices,
  fresh: UnsubscribeLink,
  now: Date,
) {
  await sql`update mail_preferences set link_id = ${fresh.link_id}, token_hash = ${fresh.token_hash}
    where profile_id = ${profileId} and (${given.answers ?? false}::boolean and not answers
      or ${digest ?? false}::boolean and digest_until is null)`.execute(tx);
  const digest_until = digest
    ? sql<Date>`coalesce(mail_preferences.digest_until, ${now})`
    : digest === false
      ? null
      : undefined;
  await tx
    .insertInto("mail_preferences")
    .values({ profile_id: profileId, ...given, digest_until: digest ? now : null, ...fresh })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet({ profile_id: profileId, ...given, digest_until }),
    )
    .execute();
}

/**
 * Turns mails about answers and digests off by a link.
 * @returns undefined if the link is invalid
 */
export const disableMails = (db: Db, tokenHash: Buffer) =>
  db
    .updateTable("mail_preferences")
    .set({ answers: false, digest_until: null })
    .where("token_hash", "=", tokenHash)
    .returning("profile_id")
    .executeTakeFirst();
