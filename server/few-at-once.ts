import { AppError } from "#shared/errors.ts";

/** How much costly work runs at once, how much more may wait, and when somebody turned away may come back. */
export type Few = { atOnce: number; mayWait: number; retryAfterSeconds: number };

/**
 * Lets costly work through a few at a time, in the order it came.
 * @returns a function that runs work, or refuses it. @throws AppError busy when too many wait already
 */
export function fewAtOnce({ atOnce, mayWait, retryAfterSeconds }: Few) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= mayWait) throw new AppError("busy", { facts: { retry_after_seconds: retryAfterSeconds } });
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
