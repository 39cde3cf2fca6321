import { useCallback, useEffect, useRef, useState } from "react";

const IDLE_AFTER_MS = 1500;
const IDLE_TIMEOUT_MS = 5000;

export type LazyDialog<Dialog, Item> = ReturnType<typeof useLazyDialog<Dialog, Item>>;

/** @param load constant function @param idle true to prefetch as soon as the browser is idle */
export function useLazyDialog<Dialog, Item>(load: () => Promise<{ default: Dialog }>, idle: boolean) {
  const [shown, setShown] = useState<{ Dialog: Dialog; item: Item } | null>(null);
  const [opening, setOpening] = useState<Item | null>(null);
  /** The item whose dialog the user opened last. Null once the list is left: then nothing opens. */
  const wanted = useRef<Item>(null);
  useEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );
  const prepare = useCallback(() => void load().catch(() => {}), [load]);
  useEffect(() => {
    if (!idle) return;
    if (!window.requestIdleCallback) {
      const timer = setTimeout(prepare, IDLE_AFTER_MS);
      return () => clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(prepare, { timeout: IDLE_TIMEOUT_MS });
    return () => window.cancelIdleCallback(handle);
  }, [idle, prepare]);
  return {
    shown,
    opening,
    prepare,
    /** Opens the dialog. If its code fails to load, opens the page `instead`: the browser can retry that. */
    async open(item: Item, instead: string) {
      wanted.current = item;
      setOpening(item);
      const part = await load().catch(() => null);
      if (wanted.current !== item) return;
      setOpening(null);
      if (part) setShown({ Dialog: part.default, item });
      else location.assign(instead);
    },
    close: () => setShown(null),
  };
}
