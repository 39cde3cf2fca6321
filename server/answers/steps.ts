import { randomInt, randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { HOUR_SECONDS, MINUTE_SECONDS } from "#shared/time.ts";
import type { Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";

/** Random delay of the mail about an answer, in seconds. Its time must not reveal the answer. */
const ANSWER_MAIL_SECONDS = { least: MINUTE_SECONDS, most: 30 * MINUTE_SECONDS, kept: HOUR_SECONDS } as const;

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
      afterSeconds: atOnce ? 0 : randomInt(ANSWER_MAIL_SECONDS.least, ANSWER_MAIL_SECONDS.most),
      deleteAfterSeconds: ANSWER_MAIL_SECONDS.kept,
    },
  );
