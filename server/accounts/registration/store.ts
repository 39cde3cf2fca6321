import { sql } from "kysely";
import type { UserType } from "#shared/user-types.ts";
import type { Db, Row, Tx } from "../../database/handles.ts";

/** Cookie of the browser that registered. One tap there confirms the registration. */
export const BROWSER_COOKIE = "registration";

/** Columns of a registration whose values the schema cannot type. */
type Narrow = {
  user_type: UserType;
  details: Partial<Record<"license_number" | "specialty" | "country" | "bio" | "phone" | "whatsapp", string>>;
};
type PendingRegistration = Omit<Row<"pending_registrations">, keyof Narrow> & Narrow;
/** Data of a registration that the account takes over. */
export type NewPerson = Pick<PendingRegistration, "full_name" | "password_hash" | keyof Narrow>;

export const insertRegistration = (tx: Tx, row: Omit<PendingRegistration, "mailed_at">) =>
  tx.insertInto("pending_registrations").values(row).execute();

const pendingRegistrations = (db: Db, now: Date) =>
  db.selectFrom("pending_registrations").selectAll().where("expires_at", ">", now).$narrowType<Narrow>();

export const registrationByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  pendingRegistrations(db, now).where("token_hash", "=", tokenHash).executeTakeFirst();

export const registrationById = (db: Db, id: string, now: Date) =>
  pendingRegistrations(db, now).where("id", "=", id).executeTakeFirst();

const newestOf = (db: Db, email: string, now: Date, browserHash: Buffer | null) =>
  pendingRegistrations(db, now)
    .where("email", "=", email)
    .orderBy(sql`browser_hash is not distinct from ${browserHash}`, "desc")
    .orderBy("created_at", "desc")
    .limit(1);

/** Returns the newest pending registration of an email; prefers this browser's. */
export const newestRegistration = (db: Db, email: string, now: Date, browserHash: Buffer | null) =>
  newestOf(db, email, now, browserHash).executeTakeFirst();

export const ownRegistration = (db: Db, email: string, now: Date, browserHash: Buffer) =>
  newestOf(db, email, now, browserHash).where("browser_hash", "=", browserHash).executeTakeFirst();

/** Serialises confirmations of registrations of one email, so that two never deadlock. */
export const lockRegistrations = (tx: Tx, email: string) =>
  tx.selectFrom("pending_registrations").select("id").where("email", "=", email).orderBy("id").forUpdate().execute();

/** Deletes this browser's registrations of an email; other browsers cannot observe it. */
export const deleteOwnRegistrations = (tx: Tx, email: string, browserHash: Buffer) =>
  tx.deleteFrom("pending_registrations").where("email", "=", email).where("browser_hash", "=", browserHash).execute();

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
    .where("email", "=", email)
    .execute();

export async function insertAccount(
  tx: Tx,
  { full_name, user_type, password_hash, details }: NewPerson,
  email: string,
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
