import { useEffect, useState } from "react";

/** Returns JSON that a page can do without: null until it arrives and after an error. */
export function useFetched<Data>(
  url: string | null,
  { body, pauseMs = 0 }: { body?: string; pauseMs?: number } = {},
): Data | null {
  const [data, setData] = useState<Data | null>(null);
  useEffect(() => {
    if (!url) return;
    const stop = new AbortController();
    const load = async () => {
      const post = body && { method: "POST", headers: { "content-type": "application/json" }, body };
      const response = await fetch(url, { ...post, signal: stop.signal });
      setData(response.ok ? await response.json() : null);
    };
    const timer = setTimeout(() => load().catch(() => stop.signal.aborted || setData(null)), pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [url, body, pauseMs]);
  return url ? data : null;
}
