import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { HOUR_SECONDS } from "#shared/time.ts";
import type { Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";
import { randomDelay } from "../notifications/queues.ts";

/**
 * Queues the mail about an answer even if the author wants none; the job decides. The request then always takes the
 * same time and leaves the same traces.
 * @param atOnce true in the demo, where users wait for the mail
 */
export const queueAnswerMail = (boss: PgBoss, tx: Tx, consultationId: string, atOnce: boolean): Promise<void> =>
  queueMail(
    boss,
    tx,
    { kind: "new_answer", consultation_id: consultationId, mail_id: randomUUID() },
    {
      startAfter: randomDelay(atOnce),
      deleteAfterSeconds: HOUR_SECONDS,
    },
  );
