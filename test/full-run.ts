/** Whether this is `npm run test:full`, where tests that take long do all of their work. */
export const FULL_RUN = process.env.DIVAN_TESTS === "full";
