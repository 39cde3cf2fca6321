import { AppError } from "#shared/errors.ts";
import { shareOf } from "./processes.ts";

/** Limits of a node's costly work: concurrent calls, waiting calls, and seconds until a refused client may retry. */
export type ConcurrencyLimit = { concurrency: number; queueLimit: number; retryAfterSeconds: number };

/**
 * Limits concurrency; queued work runs in FIFO order.
 * @returns a function that runs or refuses work
 * @throws AppError server_busy if the queue is full
 */
export function limitConcurrency({ concurrency, queueLimit, retryAfterSeconds }: ConcurrencyLimit) {
  const [most, mostWaiting] = [shareOf(concurrency), shareOf(queueLimit)];
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) {
      if (waiting.length >= mostWaiting)
        throw new AppError("server_busy", { details: { retry_after_seconds: retryAfterSeconds } });
      await new Promise<void>((go) => waiting.push(go));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
