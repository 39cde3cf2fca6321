import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Consent } from "#shared/lists.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { LockedAccount } from "../sessions/session.ts";

/** A registration until it is confirmed. */
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

export type PendingRegistration = NonNullable<Awaited<ReturnType<typeof registrationByToken>>>;

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

/** The newest pending registration of an address; one of this browser first, if there is one. */
export const newestRegistration = (db: Db, email: string, now: Date, browserHash: Buffer | null) =>
  pendingRegistrationsOf(db, email, now)
    .orderBy(sql`browser_hash is not distinct from ${browserHash}`, "desc")
    .orderBy("created_at", "desc")
    .executeTakeFirst();

/** The newest registration of an address that this browser made. */
export const ownRegistration = (db: Db, email: string, now: Date, browserHash: Buffer) =>
  pendingRegistrationsOf(db, email, now)
    .where("browser_hash", "=", browserHash)
    .orderBy("created_at", "desc")
    .executeTakeFirst();

const pendingRegistrationsOf = (db: Db, email: string, now: Date) =>
  db
    .selectFrom("pending_registrations")
    .selectAll()
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("expires_at", ">", now)
    .limit(1);

/** Serialises confirmations of registrations of one address, so that two never deadlock. */
export const lockRegistrations = (tx: Tx, email: string) =>
  tx
    .selectFrom("pending_registrations")
    .select("id")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .orderBy("id")
    .forUpdate()
    .execute();

/**
 * The registration of a link; call it with the registrations of the address locked: of two concurrent confirmations one
 * finds nothing.
 */
export const lockedRegistration = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .selectFrom("pending_registrations")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Deletes this browser's registrations of an address; others cannot observe that. */
export const deleteOwnRegistrations = (tx: Tx, email: string, browserHash: Buffer) =>
  tx
    .deleteFrom("pending_registrations")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("browser_hash", "=", browserHash)
    .execute();

/**
 * Invalidates every link to a registration of an address. The row itself stays until it expires: its early end would tell
 * who registered another person's address that the owner confirmed it.
 */
export const invalidateRegistrations = (tx: Tx, email: string) =>
  tx
    .updateTable("pending_registrations")
    .set({
      token_hash: sql<Buffer>`sha256(gen_random_uuid()::text::bytea)`,
      full_name: "",
      details: "{}",
      return_to: "/",
      mailed_at: null,
    })
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .execute();

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

/** Inserts account, profile and psychologist profile together. */
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

/** A user's consents, the withdrawn ones too, in the order in which they were given. */
export const consentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom("consents")
    .select(["kind", "version", "accepted_at", "withdrawn_at"])
    .where("profile_id", "=", profileId)
    .orderBy("accepted_at")
    .orderBy("kind")
    .execute();

/** The same, limited to the latest ones of each kind. */
export const latestConsentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("consents")
        .select(["kind", "version", "accepted_at", "withdrawn_at"])
        .select(
          // The one in force ranks first, whatever its date.
          sql<number>`row_number() over (partition by kind order by withdrawn_at is null desc, accepted_at desc)`.as(
            "rank",
          ),
        )
        .where("profile_id", "=", profileId)
        .as("ranked"),
    )
    .select(["kind", "version", "accepted_at", "withdrawn_at"])
    .where("rank", "<=", sql<number>`${LIMITS.consentsShown}`)
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

/** Records a consent, again or in a newer version; does nothing if it is in force. */
export const giveConsent = (db: Db, profileId: string, kind: Consent, version: string, now: Date) =>
  db
    .insertInto("consents")
    .values({ profile_id: profileId, kind, version, accepted_at: now })
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
    .execute();

/** A new recovery does not replace older ones of the same address: links that were mailed stay valid. */
export const insertRecovery = (
  tx: Tx,
  row: { id: string; email: string; token_hash: Buffer; created_at: Date; expires_at: Date },
) => tx.insertInto("recovery_requests").values(row).execute();

export const deleteRecovery = (db: Db, id: string) => db.deleteFrom("recovery_requests").where("id", "=", id).execute();

/** Serialises decisions about mails to one mailbox. */
export const lockMailbox = (tx: Tx, mailbox: Buffer) =>
  sql`select pg_advisory_xact_lock(4802, ${mailbox.readInt32BE(0)})`.execute(tx);

/**
 * How many mails of a kind were allowed to a mailbox, how many of them for one account, and whether this one is among them.
 */
export async function mailboxMails(
  tx: Tx,
  { mailbox, kind, own, id, now }: { mailbox: Buffer; kind: string; own: string; id: string; now: Date },
): Promise<{ lastHour: number; lastDay: number; own: { lastHour: number; lastDay: number }; allowed: boolean }> {
  const since = (hours: number) => new Date(now.getTime() - hours * 3600_000);
  const { own_hour, own_day, ...all } = await tx
    .selectFrom("mailbox_mails")
    .select([
      sql<number>`count(*) filter (where allowed_at > ${since(1)})::int`.as("lastHour"),
      sql<number>`count(*) filter (where allowed_at > ${since(24)})::int`.as("lastDay"),
      sql<number>`count(*) filter (where allowed_at > ${since(1)} and kind = ${own})::int`.as("own_hour"),
      sql<number>`count(*) filter (where allowed_at > ${since(24)} and kind = ${own})::int`.as("own_day"),
      sql<boolean>`coalesce(bool_or(id = ${id}), false)`.as("allowed"),
    ])
    .where("mailbox", "=", mailbox)
    .where(sql`split_part(kind, ':', 1)`, "=", kind)
    .executeTakeFirstOrThrow();
  return { ...all, own: { lastHour: own_hour, lastDay: own_day } };
}

export const insertMailboxMail = (tx: Tx, row: { id: string; mailbox: Buffer; kind: string; allowed_at: Date }) =>
  tx.insertInto("mailbox_mails").values(row).execute();

const LINKS = {
  recovery: "recovery_requests",
  registration: "pending_registrations",
  email_change: "email_changes",
} as const;
type Linked = { kind: keyof typeof LINKS; rowId: string; email: string };

/**
 * Whether a mailed link of this kind is still valid: any recovery or registration of the mailbox counts. A link that
 * changes an address belongs to one account, so there only this one counts.
 */
export async function hasValidMailedLink(tx: Tx, { kind, rowId, email }: Linked, now: Date): Promise<boolean> {
  const out = tx
    .selectFrom(LINKS[kind])
    .select("id")
    .where("mailed_at", "is not", null)
    .where("expires_at", ">", now)
    .limit(1);
  const whose =
    kind === "email_change" ? out.where("id", "=", rowId) : out.where(sql`lower(email)`, "=", email.toLowerCase());
  return (await whose.executeTakeFirst()) !== undefined;
}

/**
 * Records that a link is mailed; `until` is its new expiry, if mailing starts its lifetime. False when it is no longer
 * valid.
 */
export async function markMailed(tx: Tx, { kind, rowId }: Linked, now: Date, until: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(LINKS[kind])
    .set({ mailed_at: now, ...(until ? { expires_at: until } : {}) })
    .where("id", "=", rowId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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

/** Consumes a recovery link, and deletes all others of its address. */
export async function consumeRecovery(tx: Tx, tokenHash: Buffer, now: Date) {
  const taken = await tx
    .deleteFrom("recovery_requests")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (taken) await deleteRecoveriesOf(tx, taken.email);
  return taken;
}

export const setPassword = (tx: Tx, account: LockedAccount, passwordHash: string, now: Date) =>
  tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", account.id)
    .execute();

export const passwordOf = (db: Db, id: string) =>
  db
    .selectFrom("accounts")
    .select(["password_hash", "password_changed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

export const insertDeviceLink = (tx: Tx, row: { id: string; email: string; token_hash: Buffer; expires_at: Date }) =>
  tx.insertInto("device_links").values(row).execute();

export const deviceLinkById = (db: Db, id: string, now: Date) =>
  db
    .selectFrom("device_links")
    .select(["id", "email"])
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const deviceLinkByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom("device_links")
    .select(["id", "email"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Consumes a link. */
export const consumeDeviceLink = async (tx: Tx, id: string) =>
  (await tx.deleteFrom("device_links").where("id", "=", id).executeTakeFirst()).numDeletedRows === 1n;

export const deleteDeviceLinksOf = (tx: Tx, email: string) =>
  tx.deleteFrom("device_links").where(sql`lower(email)`, "=", email.toLowerCase()).execute();

export const deleteRecoveriesOf = (tx: Tx, email: string) =>
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

/**
 * Stores an address change, which replaces a pending one. A repeated request for the same address keeps its link.
 * @returns the id of the change
 */
export async function putEmailChange(tx: Tx, row: NewEmailChange): Promise<string> {
  await tx
    .deleteFrom("email_changes")
    .where("account_id", "=", row.account_id)
    .where("confirmed_at", "is", null)
    .where((either) =>
      either.or([either("new_email", "<>", row.new_email), either("expires_at", "<=", row.created_at)]),
    )
    .execute();
  const { id } = await tx
    .insertInto("email_changes")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("account_id")
        .where("confirmed_at", "is", null)
        .doUpdateSet({ created_at: row.created_at, expires_at: row.expires_at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export const deletePendingEmailChange = (tx: Db | Tx, accountId: string) =>
  tx.deleteFrom("email_changes").where("account_id", "=", accountId).where("confirmed_at", "is", null).execute();

export const pendingEmailChange = (db: Db, accountId: string, now: Date) =>
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
    .select(["email_changes.id", "account_id", "old_email", "new_email", "confirmed_at", "profiles.full_name"])
    .where("email_changes.id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** The address change of a mailed link: the confirmation of the new address, or the reversal to the old one. */
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

/** Consumes the link of the new mailbox: of two concurrent uses one finds nothing. */
export const confirmEmailChange = (tx: Tx, id: string, now: Date, undoUntil: Date) =>
  tx
    .updateTable("email_changes")
    .set({ confirmed_at: now, expires_at: undoUntil })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["account_id", "old_email", "new_email"])
    .executeTakeFirst();

/** Consumes the link of the old mailbox, and deletes every later change. */
export async function consumeEmailUndo(tx: Tx, id: string, now: Date) {
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

/** Deletes a second factor that was set up after a takeover of the account. */
export const deleteSecondFactorSince = (tx: Tx, accountId: string, moment: Date) =>
  tx.deleteFrom("second_factors").where("account_id", "=", accountId).where("created_at", ">=", moment).execute();

export async function setEmail(tx: Tx, { id }: LockedAccount, email: string, now: Date): Promise<void> {
  await tx.updateTable("profiles").set({ email, updated_at: now }).where("id", "=", id).execute();
  await tx.updateTable("accounts").set({ email_verified_at: now }).where("id", "=", id).execute();
}

/** Deletes expired links and registrations, and what is known of the mails that were sent. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("device_links").where("expires_at", "<=", now).execute();
  await db.deleteFrom("pending_registrations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("recovery_requests").where("expires_at", "<=", now).execute();
  await db.deleteFrom("email_changes").where("expires_at", "<=", now).execute();
  await db
    .deleteFrom("mailbox_mails")
    .where("allowed_at", "<=", new Date(now.getTime() - 24 * 3600_000))
    .execute();
}

/** Everything that the user's own profile page shows, in one read. */
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

/** Locks a psychologist's row, and reads the verified fields. */
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

/** Updates a psychologist's fields; `askAgain` resets the verification to pending, without a rejection. */
export const setProfessional = (tx: Tx, id: string, fields: ProfessionalFields, askAgain: boolean) =>
  tx
    .updateTable("psychologist_profiles")
    .set({ ...fields, ...(askAgain ? { verified_at: null, rejected_at: null } : {}) })
    .where("id", "=", id)
    .execute();

type UnsubscribeLink = { link_id: string; token_hash: Buffer };

/** The id that a user's unsubscribe link is derived from; `fresh` is stored if there is none. */
export async function unsubscribeLinkOf(
  db: Db,
  profileId: string,
  fresh: UnsubscribeLink,
): Promise<string | undefined> {
  // Nothing is inserted for a profile that is being deleted.
  await sql`insert into mail_choices (profile_id, link_id, token_hash)
    select id, ${fresh.link_id}, ${fresh.token_hash} from profiles where id = ${profileId} for key share
    on conflict (profile_id) do nothing`.execute(db);
  const row = await db
    .selectFrom("mail_choices")
    .select("link_id")
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  return row?.link_id;
}

/**
 * Turns mails about answers on or off for all consultations. Turning them on makes a new link, which invalidates earlier
 * ones.
 */
export const putAnswerMails = (db: Db, profileId: string, on: boolean, fresh: UnsubscribeLink) =>
  db
    .insertInto("mail_choices")
    .values({ profile_id: profileId, answers: on, ...fresh })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet(on ? { answers: on, ...fresh } : { answers: on }),
    )
    .execute();

/** Turns mails about answers off, by the link. @returns whether the link is valid */
export const stopAnswerMails = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await db
    .updateTable("mail_choices")
    .set({ answers: false })
    .where("token_hash", "=", tokenHash)
    .returning("profile_id")
    .executeTakeFirst()) !== undefined;
