import { sql } from "kysely";
import type { Consent } from "#shared/lists.ts";
import type { Db, Tx } from "../db.ts";

/** What a registration waits with until it is confirmed. */
export type NewRegistration = {
  id: string;
  token_hash: Buffer;
  browser_hash: Buffer;
  email: string;
  full_name: string;
  password_hash: string;
  user_type: "user" | "psychologist";
  details: {
    license_number?: string;
    specialty?: string;
    country?: string;
    bio?: string;
    phone?: string;
    whatsapp?: string;
  };
  return_to: string;
  consent_version: string;
  created_at: Date;
  expires_at: Date;
};

export const insertRegistration = (tx: Tx, row: NewRegistration) =>
  tx
    .insertInto("pending_registrations")
    .values({ ...row, details: JSON.stringify(row.details) })
    .execute();

export const registrationByToken = (db: Db | Tx, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("pending_registrations")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const registrationById = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("pending_registrations")
    .selectAll()
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const newestRegistration = (db: Db, email: string, now: Date) =>
  db
    .selectFrom("pending_registrations")
    .selectAll()
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** Waits for whoever confirms a registration of the same address, so that two never wait for each other. */
export const lockRegistrations = (tx: Tx, email: string) =>
  tx
    .selectFrom("pending_registrations")
    .select("id")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .orderBy("id")
    .forUpdate()
    .execute();

/** Takes a registration, once: of two confirmations at the same time one finds nothing. */
export const takeRegistration = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .deleteFrom("pending_registrations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();

export const dropRegistrations = (tx: Tx, email: string) =>
  tx.deleteFrom("pending_registrations").where(sql`lower(email)`, "=", email.toLowerCase()).execute();

export const profileByEmail = (db: Db | Tx, email: string) =>
  db
    .selectFrom("profiles")
    .select(["id", "full_name", "email", "user_type"])
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .executeTakeFirst();

export const profileById = (db: Db | Tx, id: string) =>
  db.selectFrom("profiles").select(["id", "full_name", "email", "user_type"]).where("id", "=", id).executeTakeFirst();

export const credentialsByEmail = (db: Db, email: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
    .select(["profiles.id", "profiles.full_name", "profiles.email", "accounts.password_hash"])
    .where(sql`lower(profiles.email)`, "=", email.toLowerCase())
    .executeTakeFirst();

/** Account, profile and psychologist profile come to be together or not at all. */
export async function insertAccount(
  tx: Tx,
  person: {
    full_name: string;
    email: string;
    user_type: "user" | "psychologist";
    password_hash: string;
    details: NewRegistration["details"];
  },
  now: Date,
): Promise<string> {
  const { id } = await tx
    .insertInto("profiles")
    .values({
      full_name: person.full_name,
      email: person.email,
      user_type: person.user_type,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("accounts")
    .values({
      id,
      password_hash: person.password_hash,
      email_verified_at: now,
      created_at: now,
      password_changed_at: now,
    })
    .execute();
  if (person.user_type === "psychologist")
    await tx
      .insertInto("psychologist_profiles")
      .values({
        id,
        license_number: person.details.license_number!,
        specialty: person.details.specialty ?? null,
        country: person.details.country ?? null,
        bio: person.details.bio ?? null,
        phone: person.details.phone ?? null,
        whatsapp: person.details.whatsapp ?? null,
        created_at: now,
      })
      .execute();
  return id;
}

export const insertConsents = (
  tx: Tx,
  profileId: string,
  kinds: readonly Consent[],
  version: string,
  acceptedAt: Date,
) =>
  tx
    .insertInto("consents")
    .values(kinds.map((kind) => ({ profile_id: profileId, kind, version, accepted_at: acceptedAt })))
    .execute();

/** A person's consents, the withdrawn ones too, in the order in which they were given. */
export const consentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom("consents")
    .select(["kind", "version", "accepted_at", "withdrawn_at"])
    .where("profile_id", "=", profileId)
    .orderBy("accepted_at")
    .orderBy("kind")
    .execute();

export const withdrawConsent = (db: Db, profileId: string, kind: Consent, now: Date) =>
  db
    .updateTable("consents")
    .set({ withdrawn_at: now })
    .where("profile_id", "=", profileId)
    .where("kind", "=", kind)
    .where("withdrawn_at", "is", null)
    .execute();

/** Writes down that a consent is given, again or in a newer version; given already, nothing changes. */
export const giveConsent = (db: Db, profileId: string, kind: Consent, version: string, now: Date) =>
  db
    .insertInto("consents")
    .values({ profile_id: profileId, kind, version, accepted_at: now })
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
    .execute();

/** A new wish for a new password replaces an older one of the same address. */
export async function putRecovery(
  tx: Tx,
  row: { id: string; email: string; token_hash: Buffer; created_at: Date; expires_at: Date },
): Promise<void> {
  await tx
    .insertInto("recovery_requests")
    .values(row)
    .onConflict((conflict) =>
      conflict.expression(sql`lower(email)`).doUpdateSet({
        id: row.id,
        token_hash: row.token_hash,
        created_at: row.created_at,
        expires_at: row.expires_at,
      }),
    )
    .execute();
}

export const recoveryById = (db: Db, id: string, now: Date) =>
  db.selectFrom("recovery_requests").selectAll().where("id", "=", id).where("expires_at", ">", now).executeTakeFirst();

export const recoveryByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("recovery_requests")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const takeRecovery = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .deleteFrom("recovery_requests")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();

export const setPassword = (tx: Tx, id: string, passwordHash: string, now: Date) =>
  tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", id)
    .execute();

export const insertSession = (
  tx: Db | Tx,
  row: {
    id: string;
    account_id: string;
    secret_hash: Buffer;
    created_at: Date;
    seen_at: Date;
    expires_at: Date;
    device: string | null;
    password_at: Date | null;
    second_factor_at: Date | null;
  },
) => tx.insertInto("sessions").values(row).execute();

/** Gives a session another id and secret. False when there is none any more. */
export const replaceSession = async (
  tx: Db | Tx,
  id: string,
  row: { id: string; secret_hash: Buffer; seen_at: Date; password_at: Date | null; second_factor_at: Date | null },
) => (await tx.updateTable("sessions").set(row).where("id", "=", id).executeTakeFirst()).numUpdatedRows === 1n;

/** A person's own sessions, the one used last first. */
export const sessionsOf = (db: Db, accountId: string) =>
  db
    .selectFrom("sessions")
    .select(["id", "device", "created_at", "seen_at", "expires_at"])
    .where("account_id", "=", accountId)
    .orderBy("seen_at", "desc")
    .orderBy("id")
    .execute();

/** Ends one of a person's own sessions. False when they have none under this id. */
export const deleteOwnSession = async (db: Db, accountId: string, id: string) =>
  (await db.deleteFrom("sessions").where("id", "=", id).where("account_id", "=", accountId).executeTakeFirst())
    .numDeletedRows === 1n;

/** A session with the person it belongs to, in one read. `has_gold` is decided by the time given. */
export const sessionWithPerson = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("sessions")
    .innerJoin("profiles", "profiles.id", "sessions.account_id")
    .leftJoin("psychologist_profiles", "psychologist_profiles.id", "profiles.id")
    .select([
      "sessions.id as session_id",
      "sessions.secret_hash",
      "sessions.created_at",
      "sessions.seen_at",
      "sessions.expires_at",
      "sessions.password_at",
      "sessions.second_factor_at",
      "profiles.id",
      "profiles.full_name",
      "profiles.email",
      "profiles.avatar_url",
      "profiles.user_type",
      "psychologist_profiles.is_verified",
      "psychologist_profiles.free_responses_used",
      "psychologist_profiles.max_free_responses",
    ])
    .select(sql<boolean>`coalesce(psychologist_profiles.gold_until > ${now}, false)`.as("has_gold"))
    .select(
      sql<boolean>`exists (select from consents withdrawn where withdrawn.profile_id = profiles.id and withdrawn.withdrawn_at is not null
        and not exists (select from consents given where given.profile_id = profiles.id and given.kind = withdrawn.kind and given.withdrawn_at is null))`.as(
        "consent_withdrawn",
      ),
    )
    .where("sessions.id", "=", id)
    .executeTakeFirst();

export const touchSession = (db: Db, id: string, now: Date) =>
  db.updateTable("sessions").set({ seen_at: now }).where("id", "=", id).execute();

export const deleteSession = (db: Db | Tx, id: string) => db.deleteFrom("sessions").where("id", "=", id).execute();

/** Ends sessions, and signing in that waits for its second step. */
export async function deleteSessions(db: Db | Tx, accountId: string, except?: string): Promise<void> {
  await db.deleteFrom("sign_in_challenges").where("account_id", "=", accountId).execute();
  const all = db.deleteFrom("sessions").where("account_id", "=", accountId);
  await (except ? all.where("id", "<>", except) : all).execute();
}

export const passwordOf = (db: Db, id: string) =>
  db
    .selectFrom("accounts")
    .select(["password_hash", "password_changed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

export const dropRecovery = (tx: Tx, email: string) =>
  tx.deleteFrom("recovery_requests").where(sql`lower(email)`, "=", email.toLowerCase()).execute();

export type NewEmailChange = {
  id: string;
  account_id: string;
  old_email: string;
  new_email: string;
  token_hash: Buffer;
  undo_hash: Buffer;
  created_at: Date;
  expires_at: Date;
};

/** A new wish for another address replaces the one that waits. */
export const putEmailChange = (tx: Tx, row: NewEmailChange) =>
  tx
    .insertInto("email_changes")
    .values(row)
    .onConflict((conflict) => conflict.column("account_id").where("confirmed_at", "is", null).doUpdateSet(row))
    .execute();

export const dropWaitingEmailChange = (tx: Db | Tx, accountId: string) =>
  tx.deleteFrom("email_changes").where("account_id", "=", accountId).where("confirmed_at", "is", null).execute();

export const waitingEmailChange = (db: Db, accountId: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .select(["id", "new_email", "expires_at"])
    .where("account_id", "=", accountId)
    .where("confirmed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const emailChangeById = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .innerJoin("profiles", "profiles.id", "email_changes.account_id")
    .select(["email_changes.id", "old_email", "new_email", "confirmed_at", "profiles.full_name"])
    .where("email_changes.id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** What a link of a mail leads to: the confirmation of a new address, or the way back to the old one. */
export const emailChangeByToken = (db: Db | Tx, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("email_changes")
    .select(["id", "account_id", "old_email", "new_email", "confirmed_at"])
    .where((either) =>
      either.or([
        either.and([either("token_hash", "=", tokenHash), either("confirmed_at", "is", null)]),
        either.and([either("undo_hash", "=", tokenHash), either("confirmed_at", "is not", null)]),
      ]),
    )
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Uses the link of the new mailbox, once: of two at the same time one finds nothing. */
export const confirmEmailChange = (tx: Tx, id: string, now: Date, undoUntil: Date) =>
  tx
    .updateTable("email_changes")
    .set({ confirmed_at: now, expires_at: undoUntil })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["account_id", "old_email", "new_email"])
    .executeTakeFirst();

/** Uses the link of the old mailbox, once, and drops every change that came after it. */
export async function takeEmailUndo(tx: Tx, id: string, now: Date) {
  const taken = await tx
    .deleteFrom("email_changes")
    .where("id", "=", id)
    .where("confirmed_at", "is not", null)
    .where("expires_at", ">", now)
    .returning(["account_id", "old_email", "confirmed_at"])
    .executeTakeFirst();
  if (taken)
    await tx
      .deleteFrom("email_changes")
      .where("account_id", "=", taken.account_id)
      .where((either) =>
        either.or([either("confirmed_at", "is", null), either("confirmed_at", ">=", taken.confirmed_at!)]),
      )
      .execute();
  return taken;
}

/** A second factor that somebody set up after they took the account over goes with what they did. */
export const dropSecondFactorSince = (tx: Tx, accountId: string, moment: Date) =>
  tx.deleteFrom("second_factors").where("account_id", "=", accountId).where("created_at", ">=", moment).execute();

export async function setEmail(tx: Tx, id: string, email: string, now: Date): Promise<void> {
  await tx.updateTable("profiles").set({ email, updated_at: now }).where("id", "=", id).execute();
  await tx.updateTable("accounts").set({ email_verified_at: now }).where("id", "=", id).execute();
}

/** Removes what has run out. */
export async function deleteExpired(db: Db, now: Date, idleSince: Date): Promise<void> {
  await db.deleteFrom("pending_registrations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("recovery_requests").where("expires_at", "<=", now).execute();
  await db.deleteFrom("email_changes").where("expires_at", "<=", now).execute();
  await db.deleteFrom("sign_in_challenges").where("expires_at", "<=", now).execute();
  await db
    .deleteFrom("sessions")
    .where((either) => either.or([either("expires_at", "<=", now), either("seen_at", "<=", idleSince)]))
    .execute();
  await sql`delete from rate_limits where expire is not null and expire < ${now.getTime()}`.execute(db);
}

/** Everything that one's own profile page shows of oneself, in one read. */
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
    .select(sql<boolean>`coalesce(psychologist.gold_until > ${now}, false)`.as("subscription_active"))
    .where("profiles.id", "=", id)
    .executeTakeFirst();

/** Locks a psychologist's own row, and tells what the verification looked at. */
export const lockPsychologistProfile = (tx: Tx, id: string) =>
  tx
    .selectFrom("psychologist_profiles")
    .select(["license_number", "country", "is_verified"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const lockProfile = (tx: Tx, id: string) =>
  tx
    .selectFrom("profiles")
    .select(["full_name", "avatar_url", "user_type"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const setFullName = (tx: Tx, id: string, fullName: string, now: Date) =>
  tx.updateTable("profiles").set({ full_name: fullName, updated_at: now }).where("id", "=", id).execute();

export type ProfessionalFields = {
  specialty: string | null;
  country: string | null;
  license_number: string;
  bio: string | null;
  phone: string | null;
  whatsapp: string | null;
  website: string | null;
};

/** Writes what a psychologist says of themselves; `askAgain` takes the verification back without calling it a rejection. */
export const setProfessional = (tx: Tx, id: string, fields: ProfessionalFields, askAgain: boolean) =>
  tx
    .updateTable("psychologist_profiles")
    .set({ ...fields, ...(askAgain ? { verified_at: null, rejected_at: null } : {}) })
    .where("id", "=", id)
    .execute();
