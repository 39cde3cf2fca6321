import { DAY, HOUR, MINUTE } from "#shared/time.ts";

/** How often passwords and codes may be tried, with the reasons. Times in milliseconds. */
export const ATTEMPT_LIMITS = {
  /**
   * A known browser, or a session: no one else can use it up, so it is wide enough for a user who forgot which password it
   * was.
   */
  own: {
    free: 10,
    within: 15 * MINUTE,
    /** After the free attempts each one doubles the wait: a stolen device gets about a hundred guesses a day. */
    firstWait: 30_000,
    longestWait: 15 * MINUTE,
    forgottenAfter: DAY,
  },
  /**
   * All unknown devices together, for one address: a hundred guesses a day, from however many machines. The jitter is a
   * secret of each window, so that a refusal does not reveal how often the owner has tried.
   */
  unknownDevices: { hour: { base: 6, jitter: 20 }, day: { base: 90, jitter: 20 } },
} as const;

/** The hour and the day (UTC) in which attempts of unknown devices are counted together, and their ends. */
export function attemptWindow(now: Date): { hour: Date; hourEnds: Date; day: Date; dayEnds: Date } {
  const start = (length: number) => Math.floor(now.getTime() / length) * length;
  return {
    hour: new Date(start(HOUR)),
    hourEnds: new Date(start(HOUR) + HOUR),
    day: new Date(start(DAY)),
    dayEnds: new Date(start(DAY) + DAY),
  };
}
