import { DAY, HOUR_SECONDS } from "#shared/time.ts";

/**
 * How long the address of a deleted account is kept for its last mail, in milliseconds: longer than the queue retries it.
 */
export const FAREWELL_LIFETIME = 7 * DAY;

/**
 * From one hour to three days after the deletion, as announced, so that no one can link the texts to the account. One hour
 * is left for a server that was down.
 */
export const ANONYMISED_DELAY = { fromSeconds: HOUR_SECONDS, untilSeconds: 71 * HOUR_SECONDS } as const;

/** When one anonymised text is deleted or rewritten. @param chance from 0 to 1, another for each text */
export const anonymisedTextDueAt = (now: Date, chance: number): Date => {
  const { fromSeconds, untilSeconds } = ANONYMISED_DELAY;
  return new Date(now.getTime() + Math.round((fromSeconds + chance * (untilSeconds - fromSeconds)) * 1000));
};
