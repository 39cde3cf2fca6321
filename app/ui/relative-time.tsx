import { createContext, useContext, useSyncExternalStore } from "react";
import { formatDateTime, formatRelativeTime } from "#app/lib/relative-time.ts";
import { MINUTE } from "#shared/time.ts";

const STEP_MS = 10_000;

function subscribe(listener: () => void): () => void {
  const ticking = setInterval(listener, MINUTE);
  return () => clearInterval(ticking);
}

// Rounded, because React requires equal snapshots within a render.
const browserNow = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** Time of the request (ISO 8601). The first render uses it, so that server and browser agree. */
export const Now = createContext("");

/** The tooltip has the exact time, in UTC until hydration, then in the viewer's time zone. */
export function RelativeTime({ datetime }: { datetime: string }) {
  const now = useContext(Now);
  const clock = useSyncExternalStore(subscribe, browserNow, () => null);
  const date = new Date(datetime);
  return (
    <time dateTime={datetime} title={formatDateTime(date, clock === null ? "UTC" : undefined)}>
      {formatRelativeTime(date, new Date(clock ?? now))}
    </time>
  );
}
