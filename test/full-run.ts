/** True during `npm run test:full`. Slow tests do all of their work only then. */
export const FULL_RUN = process.env.DIVAN_TESTS === "full";

/**
 * Factor for time limits. The full run measures on a quiet machine. The short run shares the machine with other work
 * and detects only large regressions.
 */
export const TIMEOUT_FACTOR = FULL_RUN ? 1 : 5;
