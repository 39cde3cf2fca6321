import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../database/handles.ts";
import { MAIL_QUEUE } from "./queues.ts";

export const insertDemoMail = (db: Db, mail: { recipient: string; subject: string; text: string; created_at: Date }) =>
  db.insertInto("demo_mails").values(mail).execute();

export const demoMails = (db: Db) =>
  db
    .selectFrom("demo_mails")
    .select(["id", "recipient as to", "subject", "text", "created_at"])
    .orderBy("created_at", "desc")
    .limit(LIMITS.keptMails)
    .execute();

/**
 * Reserves the next slot of a steady pace that all nodes share, on the database's clock.
 * @param burst mails that may be sent at once before the pace applies
 * @returns milliseconds until the slot, or null if it is more than `longest` seconds away and none was reserved
 */
export async function reserveMailSlot(
  db: Db,
  kind: string,
  { burst, seconds, longest }: { burst: number; seconds: number; longest: number },
): Promise<number | null> {
  const { rows } = await sql<{ wait: number }>`
    insert into mail_throttle as pace (kind, next_at) values (${kind}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (kind) do update
      set next_at = greatest(pace.next_at, clock_timestamp()) + make_interval(secs => ${seconds})
      where pace.next_at < clock_timestamp() + make_interval(secs => ${burst * seconds + longest})
    returning extract(epoch from next_at - clock_timestamp())::float8 - ${burst * seconds}::float8 as wait`.execute(db);
  const [taken] = rows;
  return taken ? Math.max(0, taken.wait * 1000) : null;
}

/**
 * Cancels an unsent mail. Either this call or a worker gets the row.
 * @param tried also cancels a mail that waits for its next attempt; it may have arrived
 * @returns true if it was still queued
 */
export async function cancelQueuedMail(tx: Tx, id: string, { tried = false } = {}): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from pgboss.job where name = ${MAIL_QUEUE} and id = ${id}::uuid
    and state in ('created', ${tried ? "retry" : "created"})`.execute(tx);
  return numAffectedRows === 1n;
}
