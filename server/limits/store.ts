import type pg from "pg";
import type { Bucket } from "./rate-limits.ts";

/** Returns until when (milliseconds) a bucket is full, or null while a use is left. */
export async function peekBucket(pool: pg.Pool, { key, limit }: Bucket, at: number): Promise<number | null> {
  const { rows } = await pool.query("select expire from rate_limits where key = $1 and expire > $2 and points >= $3", [
    key,
    at,
    limit,
  ]);
  return rows.length ? Number(rows[0].expire) : null;
}

/**
 * Counts a use in a bucket unless it is full. Of concurrent uses exactly the remaining ones are counted. A counted and a
 * refused use run the same statement, so that the duration reveals nothing.
 * @returns until when (milliseconds) the bucket is full, or null if the use was counted
 */
export async function consumeBucket(pool: pg.Pool, bucket: Bucket, at: number): Promise<number | null> {
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
}

export async function deleteBuckets(pool: pg.Pool, buckets: Bucket[]): Promise<void> {
  await pool.query("delete from rate_limits where key = any($1)", [buckets.map(({ key }) => key)]);
}
