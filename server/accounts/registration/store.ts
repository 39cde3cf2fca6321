import { sql } from "kysely";
import type { UserType } from "#shared/user-types.ts";
import type { Db, Tx } from "../../database/handles.ts";

export type NewRegistration = {
  id: string;
  token_hash: Buffer;
  browser_hash: Buffer;
  email: string;
  full_name: string;
  password_hash: string;
  user_type: UserType;
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

const pendingRegistrations = (db: Db | Tx, now: Date) =>
  db.selectFrom("pending_registrations").selectAll().where("expires_at", ">", now);

/** Returns the registration of a mailed link. */
export const registrationByToken = (db: Db | Tx, tokenHash: Buffer, now: Date) =>
  pendingRegistrations(db, now).where("token_hash", "=", tokenHash).executeTakeFirst();

export const registrationById = (db: Db, id: string, now: Date) =>
  pendingRegistrations(db, now).where("id", "=", id).executeTakeFirst();

/** Returns the newest pending registration of an email; prefers this browser's. */
export const newestRegistration = (db: Db, email: string, now: Date, browserHash: Buffer | null) =>
  pendingRegistrationsOf(db, email, now)
    .orderBy(sql`browser_hash is not distinct from ${browserHash}`, "desc")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** Returns the newest registration of an email from this browser. */
export const ownRegistration = (db: Db, email: string, now: Date, browserHash: Buffer) =>
  pendingRegistrationsOf(db, email, now)
    .where("browser_hash", "=", browserHash)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();

const pendingRegistrationsOf = (db: Db, email: string, now: Date) =>
  pendingRegistrations(db, now).where(sql`lower(email)`, "=", email.toLowerCase());

/** Serialises confirmations of registrations of one email, so that two never deadlock. */
export const lockRegistrations = (tx: Tx, email: string) =>
  tx
    .selectFrom("pending_registrations")
    .select("id")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .orderBy("id")
    .forUpdate()
    .execute();

/** Deletes this browser's registrations of an email; other browsers cannot observe it. */
export const deleteOwnRegistrations = (tx: Tx, email: string, browserHash: Buffer) =>
  tx
    .deleteFrom("pending_registrations")
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("browser_hash", "=", browserHash)
    .execute();

/**
 * Invalidates all registration links of an email.
 *
 * The rows stay until they expire, because deleting them early would reveal to a third party that the owner confirmed.
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

export async function insertAccount(
  tx: Tx,
  {
    full_name,
    email,
    user_type,
    password_hash,
    details,
  }: Pick<NewRegistration, "full_name" | "email" | "user_type" | "password_hash" | "details">,
  now: Date,
): Promise<string> {
  const { id } = await tx
    .insertInto("profiles")
    .values({ full_name, email, user_type, created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("accounts")
    .values({ id, password_hash, email_verified_at: now, password_changed_at: now })
    .execute();
  if (user_type === "psychologist")
    await tx
      .insertInto("psychologist_profiles")
      .values({ id, ...details, license_number: details.license_number!, created_at: now })
      .execute();
  return id;
}
