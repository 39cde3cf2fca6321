const HOUR = 3600;

/** How long the address of a deleted account waits for its last mail, in milliseconds: longer than anybody tries to send it. */
export const FAREWELL_LIFETIME = 7 * 24 * HOUR * 1000;

/** From the first hour on, and within three days: nobody can tell whose account they went with, and it is said beforehand. */
export const NAMELESS_GO = { fromSeconds: HOUR, untilSeconds: 72 * HOUR } as const;

/** When one nameless text of somebody who left is deleted, in seconds from now. @param chance between 0 and 1, another for each text */
export const namelessGoesIn = (chance: number): number =>
  Math.round(NAMELESS_GO.fromSeconds + chance * (NAMELESS_GO.untilSeconds - NAMELESS_GO.fromSeconds));
