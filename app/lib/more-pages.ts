import { useReducer, useState } from "react";
import { useLocation } from "react-router";

type Page<Item> = { items: Item[]; next_cursor: string | null };

/** Pages already loaded, by place in the history: coming back from a consultation finds the list as it was. */
const kept = new Map<string, Page<unknown>>();

/** A list of which the page brings the beginning, and what was added to its end. */
export type MorePages<Item> = {
  items: Item[];
  /** Cursor of the page that would come next; null at the end. */
  next: string | null;
  state: "idle" | "loading" | "failed";
  /** Adds the next page; after a failure it tries again. */
  load(): void;
  /** Puts an item of the added pages in another way; those that the page itself brought come anew from the server. */
  change(id: string, changed: (item: Item) => Item): void;
};

/**
 * Adds further pages to a list that the server rendered the beginning of.
 * @param first what the page brought
 * @param address of the API operation that answers with the page at a cursor
 */
export function useMorePages<Item extends { id: string }>(
  first: Page<Item>,
  address: (cursor: string) => string,
): MorePages<Item> {
  const { key } = useLocation();
  const [fetching, setFetching] = useState<{ key: string; state: "loading" | "failed" } | null>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  // Only a browser ever puts something there: on the server, and while a page comes alive, there is nothing.
  const more = kept.get(key) as Page<Item> | undefined;
  const state = fetching?.key === key ? fetching.state : "idle";
  const next = more ? more.next_cursor : first.next_cursor;

  const load = async () => {
    if (next === null || state === "loading") return;
    setFetching({ key, state: "loading" });
    try {
      const response = await fetch(address(next));
      if (!response.ok) throw new Error(`status ${response.status}`);
      const page = (await response.json()) as Page<Item>;
      kept.set(key, { items: [...(more?.items ?? []), ...page.items], next_cursor: page.next_cursor });
      setFetching((now) => (now?.key === key ? null : now));
    } catch {
      setFetching((now) => (now?.key === key ? { key, state: "failed" } : now));
    }
  };
  const change = (id: string, changed: (item: Item) => Item) => {
    if (!more) return;
    kept.set(key, { ...more, items: more.items.map((item) => (item.id === id ? changed(item) : item)) });
    redraw();
  };

  const shown = new Set(first.items.map((item) => item.id));
  const items = [...first.items, ...(more?.items.filter((item) => !shown.has(item.id)) ?? [])];
  return { items, next, state, load: () => void load(), change };
}
