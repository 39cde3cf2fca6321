import { DAY, HOUR, MINUTE, WEEK } from "#shared/time.ts";

// Mean lengths of the Gregorian calendar: exact enough for "hace 4 meses".
const YEAR = 365.2425 * DAY;
const MONTH = YEAR / 12;

const inNumbers = new Intl.RelativeTimeFormat("es", { numeric: "always" });
const inWords = new Intl.RelativeTimeFormat("es", { numeric: "auto" });

/**
 * How long ago `date` was, seen from `now`: "ahora mismo", "hace 5 minutos", "ayer", "hace 1 año".
 * It counts whole units of elapsed time and knows no time zone, so every machine writes the same.
 * A date in the future (clocks differ) is "ahora mismo"; an invalid one is "".
 */
export function relativeTime(date: Date, now: Date): string {
  const elapsed = now.getTime() - date.getTime();
  if (Number.isNaN(elapsed)) return "";
  if (elapsed < MINUTE) return "ahora mismo";
  if (elapsed < HOUR) return ago(elapsed, MINUTE, "minute");
  if (elapsed < DAY) return ago(elapsed, HOUR, "hour");
  // The one name that is clearer than its number; "anteayer" or "la semana pasada" would promise calendar days, which depend on the zone.
  if (elapsed < 2 * DAY) return inWords.format(-1, "day");
  if (elapsed < WEEK) return ago(elapsed, DAY, "day");
  if (elapsed < MONTH) return ago(elapsed, WEEK, "week");
  if (elapsed < YEAR) return ago(elapsed, MONTH, "month");
  return ago(elapsed, YEAR, "year");
}

function ago(elapsed: number, length: number, unit: Intl.RelativeTimeFormatUnit): string {
  return inNumbers.format(-Math.floor(elapsed / length), unit);
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
/** Making a formatter takes longer than using it, and the server writes one time for each card. */
const IN_UTC = exactFormat("UTC");

/**
 * The exact date and time in Spanish: "20 de noviembre de 2026, 23:40".
 * `timeZone` is an IANA name; without it the machine's own zone counts, which may change while a page is open. In UTC the
 * text says so. An invalid date is "".
 */
export function exactTime(date: Date, timeZone?: string): string {
  if (Number.isNaN(date.getTime())) return "";
  const format = timeZone === "UTC" ? IN_UTC : exactFormat(timeZone);
  // Put together by hand: what joins date and time ("," or "a las") differs between versions of Intl, and server and browser must agree.
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const text = `${parts.day} de ${parts.month} de ${parts.year}, ${parts.hour}:${parts.minute}`;
  return timeZone === "UTC" ? `${text} UTC` : text;
}
