/** The day of a moment in UTC: 2026-03-02. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
