import { sql } from "kysely";
import type pg from "pg";
import { deleteInBatches } from "../database/batches.ts";
import type { Db, Tx } from "../database/handles.ts";
import type { BucketStore } from "./rate-limits.ts";

/**
 * Counts an attempt of a known device or a session; counts nothing during a wait. Runs one statement, so that no more
 * concurrent attempts than allowed succeed.
 * @returns the time until which attempts are refused, or null if this attempt was counted
 */
export async function countKnownDeviceAttempt(
  db: Db,
  key: Buffer,
  now: Date,
  rule: { free: number; within: number; firstWait: number; longestWait: number; forgottenAfter: number },
): Promise<Date | null> {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  const { rows } = await sql`
    insert into known_device_attempts as kept (key, used, ends_at) values (${key}, 1, ${after(rule.within)})
    on conflict (key) do update set
      used = case when kept.ends_at <= ${now} then 1 else kept.used + 1 end,
      ends_at = case
        when kept.ends_at <= ${now} then ${after(rule.within)}::timestamptz
        when kept.used + 1 >= ${rule.free} then ${after(rule.forgottenAfter)}::timestamptz
        else kept.ends_at end,
      wait_until = case when kept.ends_at > ${now} and kept.used + 1 >= ${rule.free} then ${now}::timestamptz
        + least(${rule.longestWait}::float8, ${rule.firstWait}::float8 * power(2, least(20, kept.used + 1 - ${rule.free})))
        * interval '1 millisecond' end
    where kept.ends_at <= ${now} or kept.wait_until is null or kept.wait_until <= ${now}
    returning 1`.execute(db);
  if (rows.length) return null;
  const row = await db
    .selectFrom("known_device_attempts")
    .select("wait_until")
    .where("key", "=", key)
    .executeTakeFirst();
  // A successful attempt reset the row in between: wait 1 s.
  return row?.wait_until ?? after(1000);
}

export const deleteKnownDeviceAttempts = (db: Db, key: Buffer) =>
  db.deleteFrom("known_device_attempts").where("key", "=", key).execute();

/**
 * Counts an attempt of an unknown device for the hour and the day together, or not at all.
 * @returns which of the two is used up, or null if the attempt was counted
 */
export async function countUnknownDeviceAttempt(
  db: Db,
  key: Buffer,
  window: { hour: Date; day: Date },
  limits: { hour: number; day: number },
): Promise<"hour" | "day" | null> {
  const day = window.day.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into unknown_device_attempts as kept (key, hour, hour_used, day, day_used)
    values (${key}, ${window.hour}, 1, ${day}, 1)
    on conflict (key) do update set
      hour = ${window.hour},
      hour_used = case when kept.hour = ${window.hour} then kept.hour_used + 1 else 1 end,
      day = ${day},
      day_used = case when kept.day = ${day}::date then kept.day_used + 1 else 1 end
    where (kept.hour <> ${window.hour} or kept.hour_used < ${limits.hour})
      and (kept.day <> ${day}::date or kept.day_used < ${limits.day})
    returning 1`.execute(db);
  if (rows.length) return null;
  const row = await db
    .selectFrom("unknown_device_attempts")
    .select("day_used")
    .where("key", "=", key)
    .executeTakeFirst();
  return row && row.day_used >= limits.day ? "day" : "hour";
}

/** True for the first call of a day. */
export const claimPausedMail = async (tx: Tx, key: Buffer, day: string) =>
  (
    await tx
      .updateTable("unknown_device_attempts")
      .set({ mailed_on: day })
      .where("key", "=", key)
      .where((either) => either.or([either("mailed_on", "is", null), either("mailed_on", "<>", sql<Date>`${day}`)]))
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

/**
 * Claims the mark of a press.
 * @returns false if an earlier press has it
 */
export const claimPress = async (tx: Tx, mark: string, now: Date): Promise<boolean> =>
  (
    await tx
      .insertInto("presses")
      .values({ mark, created_at: now })
      .onConflict((conflict) => conflict.column("mark").doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

export const setMadeByPress = (tx: Tx, mark: string, id: string) =>
  tx.updateTable("presses").set({ made_id: id }).where("mark", "=", mark).execute();

/** Returns the id of the item that an earlier press created. */
export const madeByPress = async (tx: Tx, mark: string): Promise<string> =>
  (await tx.selectFrom("presses").select("made_id").where("mark", "=", mark).executeTakeFirstOrThrow()).made_id!;

export const deletePressesBefore = (db: Db, time: Date) => deleteInBatches(db, "presses", sql`created_at < ${time}`);

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, "known_device_attempts", sql`ends_at <= ${now}`);
  await deleteInBatches(db, "unknown_device_attempts", sql`day < ${now}::timestamptz::date`);
  await deleteInBatches(db, "rate_limits", sql`expire < ${now.getTime()}`);
}

/**
 * Buckets in PostgreSQL, shared by all nodes. Of concurrent uses exactly the remaining ones are counted. A counted and
 * a refused use run the same statement, so that the duration reveals nothing.
 */
export function databaseBuckets(pool: pg.Pool): BucketStore {
  return {
    async peek({ key, limit }, at) {
      const { rows } = await pool.query(
        "select expire from rate_limits where key = $1 and expire > $2 and points >= $3",
        [key, at, limit],
      );
      return rows.length ? Number(rows[0].expire) : null;
    },
    async consume(bucket, at) {
      const { rows } = await pool.query(
        `with used as (
           insert into rate_limits as bucket (key, points, expire) values ($1, 1, $2)
           on conflict (key) do update set
             points = case when bucket.expire <= $3 then 1 else bucket.points + 1 end,
             expire = case when bucket.expire <= $3 then $2 else bucket.expire end
           where bucket.expire <= $3 or bucket.points < $4
           returning 1
         )
         select exists (select from used) as counted, (select expire from rate_limits where key = $1) as expire`,
        [bucket.key, bucket.until, at, bucket.limit],
      );
      const { counted, expire } = rows[0];
      if (counted) return null;
      // The statement does not see the expiry of a concurrently created bucket.
      return expire !== null && Number(expire) > at ? Number(expire) : bucket.until;
    },
  };
}
