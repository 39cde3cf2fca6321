import { fromKysely, type PgBoss, type SendOptions, type WorkOptions } from "pg-boss";
import type { Context } from "./context.ts";
import type { Tx } from "./database/handles.ts";

/** A queue of jobs. `Data` is the JSON of a job. */
export type Queue<Data extends object = object> = {
  name: string;
  options: NonNullable<Parameters<PgBoss["createQueue"]>[1]>;
  data?: Data;
};

/** Declares a queue; `server/queues.ts` lists all queues. */
export const defineQueue = <Data extends object = Record<string, never>>(
  name: string,
  options: Queue["options"],
): Queue<Data> => ({ name, options });

/**
 * Retries after 30 s, 1 min, 2 min ... up to 30 min. A retry of a mail must precede the expiry of its link, which is 1 h
 * after the last attempt.
 */
export const RETRY_UP_TO_HALF_AN_HOUR = { retryDelay: 30, retryBackoff: true, retryDelayMax: 1800 } as const;

/** Queues a job in the transaction that causes it, which may roll it back; with null at once. */
export async function queueJob<Data extends object>(
  boss: PgBoss,
  tx: Tx | null,
  { name }: Queue<Data>,
  data: Data,
  options: Omit<SendOptions, "db"> = {},
): Promise<void> {
  await boss.send(name, data, { ...options, ...(tx && { db: fromKysely(tx) }) });
}

/** Starts a worker of jobs on this node; `server/background.ts` lists all jobs. */
export type Job = (context: Context) => Promise<void>;

/** Works on a queue's jobs. A batch runs concurrently if `options` say so; if one job fails, all of it is retried. */
export const work =
  <Data extends object>(
    { name }: Queue<Data>,
    options: WorkOptions,
    run: (context: Context, data: Data) => Promise<void>,
  ): Job =>
  async (context) => {
    await context.boss.work<Data>(name, options, async (jobs) => {
      await Promise.all(jobs.map((job) => run(context, job.data)));
    });
  };

/** Works at the times of a cron expression (UTC), on one node each time. */
export const workAt =
  (
    cron: string,
    queue: Queue<Record<string, never>>,
    options: WorkOptions,
    run: (context: Context) => Promise<void>,
  ): Job =>
  async (context) => {
    await context.boss.work(queue.name, options, () => run(context));
    await context.boss.schedule(queue.name, cron);
  };

export async function startWorkers(context: Context, jobs: Job[]): Promise<void> {
  for (const start of jobs) await start(context);
}
