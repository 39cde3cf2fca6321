/** Durations in milliseconds, or in seconds if the name ends in _SECONDS. A day is always 24 hours. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

export const MINUTE_SECONDS = MINUTE / SECOND;
export const HOUR_SECONDS = HOUR / SECOND;
export const DAY_SECONDS = DAY / SECOND;

/** Returns the UTC day: 2026-03-02. */
export const toIsoDay = (moment: Date) => moment.toISOString().slice(0, 10);

/**
 * Returns a time cut to the minute: the public time of anonymous items, which must not match a request observed on the
 * network.
 */
export const minuteOf = (moment: Date) => new Date(moment.getTime() - (moment.getTime() % MINUTE)).toISOString();

const LONG_DAY = new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" });

/** Formats a UTC day in words: "31 de enero de 2027". */
export const formatDay = (date: Date): string => LONG_DAY.format(date);
