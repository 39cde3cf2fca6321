import { sql } from "kysely";
import { AppError } from "#shared/errors.ts";
import type { Db, Tx } from "../../database/handles.ts";

export const credentialsByEmail = (db: Db, email: string) =>
  db
    .selectFrom("profiles")
    .innerJoin("accounts", "accounts.id", "profiles.id")
    .select(["profiles.id", "profiles.email", "accounts.password_hash"])
    .where(sql`lower(profiles.email)`, "=", email.toLowerCase())
    .executeTakeFirst();

/** @throws AppError sign_in_required if the account no longer exists */
export const passwordOf = (db: Db, id: string) =>
  db
    .selectFrom("accounts")
    .select(["password_hash", "password_changed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("sign_in_required"));

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

export const consumeDeviceLink = async (tx: Tx, id: string) =>
  (await tx.deleteFrom("device_links").where("id", "=", id).executeTakeFirst()).numDeletedRows === 1n;

export const deleteDeviceLinksOf = (tx: Tx, email: string) =>
  tx.deleteFrom("device_links").where(sql`lower(email)`, "=", email.toLowerCase()).execute();
