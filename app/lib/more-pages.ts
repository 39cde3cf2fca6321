import { useReducer, useState } from "react";
import { useLocation } from "react-router";

export type Page<Item> = { items: Item[]; next_cursor: string | null };

/** Further pages of a list in one, and how many they are. */
type AddedPages<Item> = Page<Item> & { pages: number };

/** Pages already loaded, by list and place in the history: coming back from a consultation finds the list as it was. */
const kept = new Map<string, AddedPages<unknown>>();

/** Puts what was read of an item since into every list that holds it, so that coming back shows it as it is now. */
export function updateLoaded<Item extends { id: string }>(fresh: Item): void {
  for (const [key, page] of kept)
    kept.set(key, {
      ...page,
      items: (page as Page<Item>).items.map((item) => (item.id === fresh.id ? { ...item, ...fresh } : item)),
    });
}

/** A list of which the page brings the beginning, and what was added to its end. */
export type MorePages<Item> = {
  items: Item[];
  /** Cursor of the page that would come next; null at the end. */
  next: string | null;
  state: "idle" | "loading" | "failed";
  /** Adds the next page; after a failure it tries again. */
  load(): void;
  /** Changes an item of the added pages; those that the page itself brought come anew from the server. */
  change(id: string, changed: (item: Item) => Item): void;
  /** How many pages were added. */
  pages: number;
  /** Puts others in place of the items that were added. */
  replace(page: Page<Item>): void;
};

/** Reads a page from the API. @throws Error when it does not come */
export async function fetchPage<Item>(address: string): Promise<Page<Item>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/**
 * Adds further pages to a list that the server rendered the beginning of.
 * @param first what the page brought
 * @param address of the API operation that answers with the page at a cursor
 * @param list its name, where a page has several
 */
export function useMorePages<Item extends { id: string }>(
  first: Page<Item>,
  address: (cursor: string) => string,
  list = "",
): MorePages<Item> {
  const place = useLocation().key;
  const key = list ? `${place} ${list}` : place;
  const [fetching, setFetching] = useState<{ key: string; state: "loading" | "failed" } | null>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  // Only a browser ever puts something there: on the server, and while a page is hydrated, there is nothing.
  const more = kept.get(key) as AddedPages<Item> | undefined;
  const state = fetching?.key === key ? fetching.state : "idle";
  const next = more ? more.next_cursor : first.next_cursor;

  const load = async () => {
    if (next === null || state === "loading") return;
    setFetching({ key, state: "loading" });
    try {
      const { items, next_cursor } = await fetchPage<Item>(address(next));
      kept.set(key, { items: [...(more?.items ?? []), ...items], next_cursor, pages: (more?.pages ?? 0) + 1 });
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

  const replace = (page: Page<Item>) => {
    // Pages that were added meanwhile stay.
    const now = kept.get(key);
    if (!now || now.pages !== more?.pages) return;
    kept.set(key, { ...now, ...page });
    redraw();
  };
  const shown = new Set(first.items.map((item) => item.id));
  const items = [...first.items, ...(more?.items.filter((item) => !shown.has(item.id)) ?? [])];
  return { items, next, state, pages: more?.pages ?? 0, load: () => void load(), change, replace };
}
