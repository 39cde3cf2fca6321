import { postJson } from "./post-json.ts";

const FIRST_RETRY_MS = 200;
const RETRY_WINDOW_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 10_000;
const TRANSIENT = new Set([502, 503, 504]);

/** Shows no user data after the session ended: neither from the document nor from the back/forward cache. */
export function purgeOnSessionEnd(refresh: () => unknown, signal: AbortSignal): void {
  delete (window as { __reactRouterContext?: { state?: unknown } }).__reactRouterContext?.state;
  for (const script of document.querySelectorAll("script:not([src])")) script.textContent = "";
  window.addEventListener("pageshow", ({ persisted }) => persisted && refresh(), { signal });
}

/** @returns false if the server did not respond in time; the user stays signed in */
export async function requestSessionRenewal(signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + RETRY_WINDOW_MS;
  for (let wait = FIRST_RETRY_MS; ; wait *= 2) {
    // Not `AbortSignal.any`: older phones do not support it.
    const request = new AbortController();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop);
    const timer = setTimeout(stop, RESPONSE_TIMEOUT_MS);
    try {
      const response = await postJson("/api/session/renewal", {}, { signal: request.signal });
      if (!TRANSIENT.has(response.status)) return true;
    } catch {
      if (signal.aborted) return false;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
    if (Date.now() + wait > end) return false;
    await new Promise((go) => setTimeout(go, wait));
  }
}
