import { useReducer, useState } from "react";
import { useLocation } from "react-router";

export type Page<Item> = { items: Item[]; next_cursor: string | null };

type AddedPages<Item> = Page<Item> & { pages: number };

/** Added pages by list and history entry. Back shows the same list again. */
const kept = new Map<string, AddedPages<unknown>>();

/** Updates an item in all cached lists, so that Back shows its newest state. */
export function updateLoaded<Item extends { id: string }>(fresh: Item): void {
  for (const [key, page] of kept)
    kept.set(key, {
      ...page,
      items: (page as Page<Item>).items.map((item) => (item.id === fresh.id ? { ...item, ...fresh } : item)),
    });
}

/** A list with its first page from the loader. */
export type MorePages<Item> = {
  items: Item[];
  /** Cursor of the next page, or null at the end. */
  next: string | null;
  state: "idle" | "loading" | "failed";
  /** Loads the next page. Retries after a failure. */
  load(): void;
  /** Changes an item of the added pages. The loader reloads the first page itself. */
  change(id: string, changed: (item: Item) => Item): void;
  pages: number;
  replace(page: Page<Item>): void;
};

/** Fetches a page from the API. @throws Error if the status is not 2xx */
export async function fetchPage<Item>(address: string): Promise<Page<Item>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/**
 * Adds pages to a list whose first page the server rendered.
 * @param first first page, from the loader
 * @param address returns the API URL of the page at a cursor
 * @param list name of the list if the page has several
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
  // Only browsers write to this map, so it is empty on the server and during hydration.
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
    // Skip if the user added another page during the request.
    const now = kept.get(key);
    if (!now || now.pages !== more?.pages) return;
    kept.set(key, { ...now, ...page });
    redraw();
  };
  const shown = new Set(first.items.map((item) => item.id));
  const items = [...first.items, ...(more?.items.filter((item) => !shown.has(item.id)) ?? [])];
  return { items, next, state, pages: more?.pages ?? 0, load: () => void load(), change, replace };
}
