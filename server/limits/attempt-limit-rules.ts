import { DAY, HOUR, MINUTE } from "#shared/time.ts";

/** Limits of password and code attempts. Times in milliseconds. */
export const ATTEMPT_LIMITS = {
  /**
   * A known browser or a session. Other people cannot use it up, so it is wide enough for a user who tries several
   * passwords.
   */
  own: {
    free: 10,
    within: 15 * MINUTE,
    /** After the free attempts, each attempt doubles the wait. A stolen device gets about 100 guesses per day. */
    firstWait: 30_000,
    longestWait: 15 * MINUTE,
    forgottenAfter: DAY,
  },
  /**
   * All unknown devices of an email together: about 100 guesses per day from any number of machines. The jitter is a
   * secret per window, so that a refusal does not reveal the owner's attempts.
   */
  unknownDevices: { hour: { base: 6, jitter: 20 }, day: { base: 90, jitter: 20 } },
} as const;

/** Returns the hour and the day (UTC) in which attempts of unknown devices are counted, with their ends. */
export function attemptWindow(now: Date): { hour: Date; hourEnds: Date; day: Date; dayEnds: Date } {
  const start = (length: number) => Math.floor(now.getTime() / length) * length;
  return {
    hour: new Date(start(HOUR)),
    hourEnds: new Date(start(HOUR) + HOUR),
    day: new Date(start(DAY)),
    dayEnds: new Date(start(DAY) + DAY),
  };
}
