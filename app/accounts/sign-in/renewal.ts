const FIRST_RETRY_MS = 200;
const RETRY_WINDOW_MS = 30_000;
/** How long one request may take before it counts as unanswered. */
const ANSWER_MS = 10_000;
const TRANSIENT = new Set([502, 503, 504]);

/**
 * Keeps the page from showing who was signed in after the session ended: it empties what the document came with, which
 * stays there for as long as the tab is open, and asks the server when the browser restores the page from its cache.
 * @param refresh asks the server anew, by what is current then
 */
export function guardPage(refresh: { current: () => unknown }, signal: AbortSignal): void {
  delete (window as { __reactRouterContext?: { state?: unknown } }).__reactRouterContext?.state;
  for (const script of document.querySelectorAll("script:not([src])")) script.textContent = "";
  window.addEventListener("pageshow", ({ persisted }) => persisted && refresh.current(), { signal });
}

/** Asks the server to keep the session. False where no answer came in time, which signs no one out. */
export async function renew(signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + RETRY_WINDOW_MS;
  for (let wait = FIRST_RETRY_MS; ; wait *= 2) {
    // An answer that never comes counts as none. Not AbortSignal.any: older phones do not know it.
    const request = new AbortController();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop);
    const timer = setTimeout(stop, ANSWER_MS);
    try {
      const response = await fetch("/api/session/renewal", {
        method: "POST",
        signal: request.signal,
        headers: { "content-type": "application/json" },
        body: "{}",
      });
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
