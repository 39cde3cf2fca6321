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

/**
 * Lets work through one at a time for each of many, in the order it came: whoever is slow holds up nobody else.
 * @returns a function that runs work of somebody, or refuses it. @throws AppError busy when too much of theirs waits already
 */
export function oneAtATimeEach({ mayWait, retryAfterSeconds }: Omit<Few, "atOnce">) {
  const turns = new Map<string, { run: ReturnType<typeof fewAtOnce>; users: number }>();
  return async <Result>(whose: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = turns.get(whose) ?? { run: fewAtOnce({ atOnce: 1, mayWait, retryAfterSeconds }), users: 0 };
    turns.set(whose, turn);
    turn.users++;
    try {
      return await turn.run(work);
    } finally {
      turn.users--;
      if (!turn.users) turns.delete(whose);
    }
  };
}
