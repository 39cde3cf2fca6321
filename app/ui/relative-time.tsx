import { useSyncExternalStore } from "react";
import { exactTime, relativeTime } from "#app/lib/relative-time.ts";
import { MINUTE } from "#shared/time.ts";

const STEP_MS = 10_000;

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** One clock for all the times of a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    for (const each of listeners) each();
  }, MINUTE);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
}

// In steps, since React wants the same answer when it asks twice in a row.
const browserNow = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;
const serverNow = () => null;

interface RelativeTimeProps {
  /** The moment, as an ISO 8601 text. */
  datetime: string;
  /** When the page was made (ISO 8601): the first rendering counts from it, so that server and browser write the same. */
  now: string;
}

/** "hace 2 horas", kept up to date each minute; the exact date and time on hover, in UTC until hydration, then in the viewer's time zone. */
export function RelativeTime({ datetime, now }: RelativeTimeProps) {
  const clock = useSyncExternalStore(subscribe, browserNow, serverNow);
  const date = new Date(datetime);
  return (
    <time dateTime={datetime} title={exactTime(date, clock === null ? "UTC" : undefined)}>
      {relativeTime(date, new Date(clock ?? now))}
    </time>
  );
}
