import { longDay } from "#shared/time.ts";

/** The day of a moment (ISO 8601) in Spanish: "3 de mayo de 2026". In UTC, so that server and browser write the same. */
export const longDate = (moment: string): string => longDay(new Date(moment));
