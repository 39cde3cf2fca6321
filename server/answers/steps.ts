import { randomInt, randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { HOUR_SECONDS, MINUTE_SECONDS } from "#shared/time.ts";
import type { Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";

/**
 * When the mail about an answer is sent: after a random delay, so that its time does not reveal which answer it is about.
 */
const ANSWER_MAIL_SECONDS = { least: MINUTE_SECONDS, most: 30 * MINUTE_SECONDS, kept: HOUR_SECONDS } as const;

/**
 * Queues the mail about an answer, whether or not the author wants one: the request takes as long and leaves the same
 * traces either way. The job decides. @param atOnce for the demo, where people wait to see it
 */
export const queueAnswerMail = (boss: PgBoss, tx: Tx, consultationId: string, atOnce: boolean): Promise<void> =>
  queueMail(
    boss,
    tx,
    { kind: "answer_came", consultation_id: consultationId, mail_id: randomUUID() },
    {
      afterSeconds: atOnce ? 0 : randomInt(ANSWER_MAIL_SECONDS.least, ANSWER_MAIL_SECONDS.most),
      keptSeconds: ANSWER_MAIL_SECONDS.kept,
    },
  );
