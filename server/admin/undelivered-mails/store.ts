import { sql } from "kysely";
import type { Db, Tx } from "../../database/handles.ts";
import { MAIL_QUEUE } from "../../mail/queues.ts";
import type { Versioned } from "../../versions.ts";

export type UndeliveredRow = {
  id: string;
  kind: string;
  created_at: Date;
  attempts: number;
  gave_up: boolean;
  last_error: string | null;
};

export const UNDELIVERED: Versioned<UndeliveredRow, UndeliveredRow> = {
  kind: "mail",
  present: (row) => row,
};

/** Rows of mails about answers hide error and hour, which could link the answer to the author's mailbox. */
const SELECT = sql`select id::text, data ->> 'kind' as kind, retry_count + 1 as attempts, state = 'failed' as gave_up,
    case when data ->> 'kind' = 'new_answer' then date_trunc('day', created_on, 'UTC') else created_on end as created_at,
    case when data ->> 'kind' = 'new_answer' then null else output ->> 'message' end as last_error
  from pgboss.job where name = ${MAIL_QUEUE} and state in ('retry', 'failed')`;

/** Returns mails that wait for another attempt or failed for good. The tables belong to the queue library. */
export const undeliveredMails = (db: Db) =>
  sql<UndeliveredRow>`${SELECT} order by created_at desc, id limit 50`.execute(db).then((result) => result.rows);

/** Locks and reads an undelivered mail, so that no worker fetches it. */
export const lockUndeliveredMail = (tx: Tx, id: string) =>
  sql<UndeliveredRow>`${SELECT} and id = ${id}::uuid for update`.execute(tx).then((result) => result.rows[0]);

/** Makes a mail that waits for its next attempt due now. */
export const retryMailNow = (tx: Tx, id: string) =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'retry'`.execute(
    tx,
  );
