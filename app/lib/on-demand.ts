import { useCallback, useEffect, useRef, useState } from "react";

/** How long after loading the code is fetched where the browser does not say that it is idle: Safari has no idle callback. */
const IDLE_AFTER_MS = 1500;
/** The longest wait for an idle browser. */
const IDLE_TIMEOUT_MS = 5000;

/** A part of the page whose code is fetched when it is needed. */
type OnDemand<Part> = {
  /** Fetches the code ahead of its use, for instance when a button is pressed down. A failure is not reported. */
  prepare(): void;
  /** Fetches the code and passes it to `then`; calls `otherwise` where it cannot be fetched. */
  use(then: (part: Part) => void, otherwise: () => void): void;
  /** The code is on its way since it was asked for: the button that did so shows it. */
  loading: boolean;
};

/**
 * Code that only some people need, fetched at the first sign that it will be used.
 * @param load imports it; called again after a failure
 * @param idle fetch it as soon as the browser has nothing better to do
 */
export function useOnDemand<Part>(load: () => Promise<Part>, idle = false): OnDemand<Part> {
  const [loading, setLoading] = useState(false);
  const fetched = useRef<Promise<Part>>(null);
  const fetchPart = useRef(() => {
    fetched.current ??= load();
    // The next attempt asks again.
    fetched.current.catch(() => {
      fetched.current = null;
    });
    return fetched.current;
  });
  const prepare = useCallback(() => {
    fetchPart.current().catch(() => {});
  }, []);
  const use = useCallback<OnDemand<Part>["use"]>((then, otherwise) => {
    setLoading(true);
    fetchPart
      .current()
      .then(then, otherwise)
      .finally(() => setLoading(false));
  }, []);
  useEffect(() => {
    if (!idle) return;
    if (!window.requestIdleCallback) {
      const timer = setTimeout(prepare, IDLE_AFTER_MS);
      return () => clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(prepare, { timeout: IDLE_TIMEOUT_MS });
    return () => window.cancelIdleCallback(handle);
  }, [idle, prepare]);
  return { prepare, use, loading };
}
