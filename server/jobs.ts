import { fromKysely, type PgBoss, type SendOptions, type WorkOptions } from "pg-boss";
import type { Context } from "./context.ts";
import type { Tx } from "./database/handles.ts";

/** A queue of jobs. `Data` is what a job says, as JSON. */
export type Queue<Data extends object = object> = {
  name: string;
  options: NonNullable<Parameters<PgBoss["createQueue"]>[1]>;
  /** Only for the type. */
  data?: Data;
};

/** Declares a queue; `server/queues.ts` lists all of them. */
export const defineQueue = <Data extends object = Record<string, never>>(
  name: string,
  options: Queue["options"],
): Queue<Data> => ({ name, options });

/** Retries after 30 s, 1 min, 2 min ... up to an hour. */
export const RETRY_UP_TO_AN_HOUR = { retryDelay: 30, retryBackoff: true, retryDelayMax: 3600 } as const;

/** Queues a job in the transaction that causes it, which may roll it back; without one (null) at once. */
export async function queueJob<Data extends object>(
  boss: PgBoss,
  tx: Tx | null,
  { name }: Queue<Data>,
  data: Data,
  options: Omit<SendOptions, "db"> = {},
): Promise<void> {
  await boss.send(name, data, { ...options, ...(tx && { db: fromKysely(tx) }) });
}

/** What a node does with the jobs of a queue; `server/background.ts` lists all of them. */
export type Job = { start(context: Context): Promise<void> };

/** Works on the jobs of a queue; a batch at once where `options` say so, and all of it again where one fails. */
export const work = <Data extends object>(
  { name }: Queue<Data>,
  options: WorkOptions,
  run: (context: Context, data: Data) => Promise<void>,
): Job => ({
  async start(context) {
    await context.boss.work<Data>(name, options, async (jobs) => {
      await Promise.all(jobs.map((job) => run(context, job.data)));
    });
  },
});

/** Works at the times of a cron expression (UTC), on one node each time. */
export const workAt = (
  cron: string,
  queue: Queue<Record<string, never>>,
  options: WorkOptions,
  run: (context: Context) => Promise<void>,
): Job => ({
  async start(context) {
    await context.boss.work(queue.name, options, () => run(context));
    await context.boss.schedule(queue.name, cron);
  },
});

/** Starts this node's workers. */
export async function startWorkers(context: Context, jobs: Job[]): Promise<void> {
  for (const job of jobs) await job.start(context);
}
