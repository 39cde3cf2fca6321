/** Whether this is `npm run test:full`, where tests that take long do all of their work. */
export const FULL_RUN = process.env.DIVAN_TESTS === "full";

/**
 * What limits on time are multiplied by. The full run measures on a quiet machine; the short one also runs beside other
 * work, and notices only what takes far too long.
 */
export const LENIENCY = FULL_RUN ? 1 : 5;
