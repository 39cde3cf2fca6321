import { useHydrated } from "#app/lib/hydrated.ts";
import { MINUTE } from "#shared/time.ts";

/** Formats weekday and time: "jueves 26 de noviembre, a las 21:14", with "UTC" in UTC. */
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
  // Joined by hand: versions of Intl differ in the separator, and server and browser must agree.
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const hour = Number(parts.hour);
  const time = `${hour === 1 ? "a la" : "a las"} ${hour}:${parts.minute}`;
  return `${parts.weekday} ${parts.day} de ${parts.month}, ${time}${timeZone ? ` ${timeZone}` : ""}`;
}

/** Uses the reader's time zone after hydration. Rounds up, so that the user does not return too early. */
export function ResetTime({ at }: { at: string }) {
  const hydrated = useHydrated();
  const minute = new Date(Math.ceil(Date.parse(at) / MINUTE) * MINUTE);
  return (
    <>
      {" "}
      Será el{" "}
      <b>
        <time dateTime={at}>{weekdayTime(minute, hydrated ? undefined : "UTC")}</time>
      </b>
      .
    </>
  );
}
