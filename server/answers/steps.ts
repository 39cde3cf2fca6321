import { randomUUID } from "node:crypto";
import { HOUR_SECONDS } from "#shared/time.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";
import { randomDelay } from "../notifications/queues.ts";

/**
 * Queues the mail about an answer even if the author wants none; the job decides. The request then always takes the
 * same time and leaves the same traces.
 */
export const queueAnswerMail = ({ boss, config }: Context, tx: Tx, consultation_id: string): Promise<void> => {
  const job = { kind: "new_answer", consultation_id, mail_id: randomUUID() } as const;
  return queueMail(boss, tx, job, { startAfter: randomDelay(config.demo), deleteAfterSeconds: HOUR_SECONDS });
};
