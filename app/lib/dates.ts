import { formatDay } from "#shared/time.ts";

/** Formats the day of an ISO 8601 timestamp: "3 de mayo de 2026". Uses UTC, so that server and browser agree. */
export const formatDate = (moment: string): string => formatDay(new Date(moment));
