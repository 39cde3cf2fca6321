const HOUR = 3600;

/** How long the address of a deleted account waits for its last mail, in milliseconds: longer than anybody tries to send it. */
export const FAREWELL_LIFETIME = 7 * 24 * HOUR * 1000;

/**
 * From the first hour on, and within three days, as is said beforehand: nobody can tell whose account they went with. An hour
 * is left for a server that was away.
 */
export const NAMELESS_GO = { fromSeconds: HOUR, untilSeconds: 71 * HOUR } as const;

/** When one nameless text of somebody who left is deleted or written anew. @param chance from 0 to 1, another for each text */
export const namelessGoesAt = (now: Date, chance: number): Date => {
  const { fromSeconds, untilSeconds } = NAMELESS_GO;
  return new Date(now.getTime() + Math.round((fromSeconds + chance * (untilSeconds - fromSeconds)) * 1000));
};
