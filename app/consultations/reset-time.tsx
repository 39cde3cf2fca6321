import { useHydrated } from "#app/lib/hydrated.ts";
import { MINUTE } from "#shared/time.ts";

/** "jueves 26 de noviembre, a las 21:14". `timeZone` is an IANA name; without it the machine's own zone counts. In UTC the text says so. */
function weekdayTime(date: Date, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("es", {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  // Put together by hand: what joins date and time differs between versions of Intl, and server and browser must agree.
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const hour = Number(parts.hour);
  const time = `${hour === 1 ? "a la" : "a las"} ${hour}:${parts.minute}`;
  return `${parts.weekday} ${parts.day} de ${parts.month}, ${time}${timeZone ? ` ${timeZone}` : ""}`;
}

/**
 * Says when one may ask again: " Será el jueves 26 de noviembre, a las 21:14.", on the reader's own clock; in UTC until
 * the page is hydrated, and without JavaScript. Seconds are rounded up, so that who comes back then is not refused again.
 */
export function ResetTime({ at }: { at: string }) {
  const hydrated = useHydrated();
  const minute = new Date(Math.ceil(Date.parse(at) / MINUTE) * MINUTE);
  return (
    <>
      {" "}
      Será el <time dateTime={at}>{weekdayTime(minute, hydrated ? undefined : "UTC")}</time>.
    </>
  );
}
