import { HOUR_SECONDS } from "#shared/time.ts";

/**
 * From 1 hour to 3 days after the deletion, as announced, so that the texts cannot be linked to the account. The last
 * hour is reserve for a server that was down.
 */
export const ANONYMISED_DELAY = { fromSeconds: HOUR_SECONDS, untilSeconds: 71 * HOUR_SECONDS } as const;

/**
 * Returns the time at which an anonymised text is deleted or rewritten.
 * @param chance from 0 to 1, a different number for each text
 */
export const anonymisedTextDueAt = (now: Date, chance: number): Date => {
  const { fromSeconds, untilSeconds } = ANONYMISED_DELAY;
  return new Date(now.getTime() + Math.round((fromSeconds + chance * (untilSeconds - fromSeconds)) * 1000));
};
