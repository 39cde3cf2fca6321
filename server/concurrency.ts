import { AppError } from "#shared/errors.ts";
import { shareOf } from "./processes.ts";

/** Limits of a node's costly work: concurrent calls, waiting calls, and seconds until a refused client may retry. */
export type ConcurrencyLimit = { concurrency: number; queueLimit: number; retryAfterSeconds: number };

/**
 * Limits the concurrency of work with the same key; queued work runs in FIFO order.
 * @returns a function that runs or refuses work
 * @throws AppError server_busy if the key's queue is full
 */
export function limitConcurrency({ concurrency, queueLimit, retryAfterSeconds }: ConcurrencyLimit) {
  const [most, mostWaiting] = [shareOf(concurrency), shareOf(queueLimit)];
  /** Contains only keys with running work. */
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <Result>(work: () => Promise<Result>, key = ""): Promise<Result> => {
    const ofKey = keys.get(key) ?? { running: 0, waiting: [] };
    keys.set(key, ofKey);
    if (ofKey.running >= most) {
      if (ofKey.waiting.length >= mostWaiting)
        throw new AppError("server_busy", { details: { retry_after_seconds: retryAfterSeconds } });
      await new Promise<void>((go) => ofKey.waiting.push(go));
    } else ofKey.running++;
    try {
      return await work();
    } finally {
      const next = ofKey.waiting.shift();
      if (next) next();
      else if (--ofKey.running === 0) keys.delete(key);
    }
  };
}
