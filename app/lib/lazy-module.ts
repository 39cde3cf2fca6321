import { useCallback, useEffect, useRef, useState } from "react";

/** Delay before the prefetch in browsers without an idle callback (Safari). */
const IDLE_AFTER_MS = 1500;
/** Maximum wait for an idle browser. */
const IDLE_TIMEOUT_MS = 5000;

/** A lazily loaded part of the page. */
type LazyModule<Part> = {
  /** Prefetches the code, for instance on pointerdown. Ignores failures. */
  prepare(): void;
  /** Fetches the code and passes it to `then`. Calls `otherwise` if that fails. */
  use(then: (part: Part) => void, otherwise: () => void): void;
  /** True while the code loads after a call of `use`. */
  loading: boolean;
};

/**
 * Fetches code that only some users need, at the first sign that it will be used.
 * @param load imports the code; called again after a failure
 * @param idle true to prefetch as soon as the browser is idle
 */
export function useLazyModule<Part>(load: () => Promise<Part>, idle = false): LazyModule<Part> {
  const [loading, setLoading] = useState(false);
  const fetched = useRef<Promise<Part>>(null);
  const fetchPart = useRef(() => {
    fetched.current ??= load();
    // A later call retries.
    fetched.current.catch(() => {
      fetched.current = null;
    });
    return fetched.current;
  });
  const prepare = useCallback(() => {
    fetchPart.current().catch(() => {});
  }, []);
  const use = useCallback<LazyModule<Part>["use"]>((then, otherwise) => {
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
