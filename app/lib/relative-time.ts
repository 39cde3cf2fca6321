import { DAY, HOUR, MINUTE, WEEK } from "#shared/time.ts";

// Mean lengths in the Gregorian calendar, accurate enough for "hace 4 meses".
const YEAR = 365.2425 * DAY;
const UNITS = [
  [MINUTE, "minute"],
  [HOUR, "hour"],
  [DAY, "day"],
  [WEEK, "week"],
  [YEAR / 12, "month"],
  [YEAR, "year"],
] as const;

const inNumbers = new Intl.RelativeTimeFormat("es", { numeric: "always" });

/**
 * Formats "hace 5 minutos". Needs no time zone, so that server and browser agree.
 * @returns "ahora mismo" for a future date (clocks differ), "" for an invalid one
 */
export function formatRelativeTime(date: Date, now: Date): string {
  const elapsed = now.getTime() - date.getTime();
  if (Number.isNaN(elapsed)) return "";
  const passed = UNITS.findLast(([length]) => elapsed >= length);
  if (!passed) return "ahora mismo";
  const [length, unit] = passed;
  const count = Math.floor(elapsed / length);
  // "Anteayer" or "la semana pasada" would name calendar days, which depend on the time zone.
  return unit === "day" && count === 1 ? "ayer" : inNumbers.format(-count, unit);
}

const exactFormat = (timeZone?: string) =>
  new Intl.DateTimeFormat("es", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
/** Cached, because creating a formatter is slower than using it and the server formats one time per card. */
const IN_UTC = exactFormat("UTC");

/** Formats "20 de noviembre de 2026, 23:40". @param timeZone IANA name @returns "" for an invalid date */
export function formatDateTime(date: Date, timeZone?: string): string {
  if (Number.isNaN(date.getTime())) return "";
  const format = timeZone === "UTC" ? IN_UTC : exactFormat(timeZone);
  // Joined by hand: versions of Intl differ in the separator ("," or "a las"), and server and browser must agree.
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const text = `${parts.day} de ${parts.month} de ${parts.year}, ${parts.hour}:${parts.minute}`;
  return timeZone === "UTC" ? `${text} UTC` : text;
}
