import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ClientActionFunctionArgs, useLocation } from "react-router";
import { getActionError } from "./client-error-messages.ts";

export type Page<Item> = { items: Item[]; next_cursor: string | null };

type AddedPages = Page<{ id: string }> & { pages: number };

/** Added pages by list and history entry. Back shows the same list again. Only browsers write to this map. */
const added = new Map<string, AddedPages>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const each of listeners) each();
}

function store(key: string, pages: AddedPages): void {
  added.set(key, pages);
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Removes all added pages, which show what another viewer may see and do. */
export function forgetAddedPages(): void {
  added.clear();
  notify();
}

/** New values of an item, of its `viewer` only the changed ones. */
type Patch = { [field: string]: unknown; viewer?: object };

/** Changes an item in all added pages, so that Back too shows its newest state. Loaders reload the first pages. */
export function patchItem(id: string, fields: Patch): void {
  const patched = (item: { id: string; viewer?: object }) =>
    item.id === id
      ? { ...item, ...fields, ...(fields.viewer && { viewer: { ...item.viewer, ...fields.viewer } }) }
      : item;
  for (const [key, list] of added)
    if (list.items.some((item) => item.id === id)) store(key, { ...list, items: list.items.map(patched) });
}

/** Patches the item of the path even if the user has left the page before the response. */
export const patchingAction =
  <Data>(fields: (data: Data) => Patch) =>
  async ({ params, serverAction }: ClientActionFunctionArgs) => {
    const data = await serverAction();
    if (!getActionError(data)) patchItem(params.id!, fields(data as Data));
    return data;
  };

export type PagedList<Item extends { id: string }> = ReturnType<typeof usePagedList<Item>>;

/** Fetches a page from the API. @throws Error if the status is not 2xx */
async function fetchPage<Item>(address: string): Promise<Page<Item>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/** @param address API URL of the page at a cursor @param options.reloads reloads added pages with the loader */
export function usePagedList<Item extends { id: string }>(
  first: Page<Item>,
  address: (cursor: string) => string,
  { name = "", reloads = false }: { name?: string; reloads?: boolean } = {},
) {
  const key = `${useLocation().key} ${name}`;
  const [fetching, setFetching] = useState<{ key: string; state: "loading" | "failed" } | null>(null);
  const more = useSyncExternalStore(
    subscribe,
    () => added.get(key),
    () => undefined,
  ) as (Page<Item> & { pages: number }) | undefined;
  const state = fetching?.key === key ? fetching.state : "idle";
  const next = more ? more.next_cursor : first.next_cursor;

  const load = async () => {
    if (next === null || state === "loading") return;
    setFetching({ key, state: "loading" });
    try {
      const { items, next_cursor } = await fetchPage<Item>(address(next));
      // A vote or a reload may have changed the items during the request, and a sign-out may have removed them.
      const before = (added.get(key) as typeof more) ?? { items: [], next_cursor: first.next_cursor, pages: 0 };
      if (before.next_cursor === next)
        store(key, { items: [...before.items, ...items], next_cursor, pages: before.pages + 1 });
      setFetching((now) => (now?.key === key ? null : now));
    } catch {
      setFetching((now) => (now?.key === key ? { key, state: "failed" } : now));
    }
  };

  const seen = useRef(first.items);
  useEffect(() => {
    if (seen.current === first.items) return;
    seen.current = first.items;
    const again = async (pages: number) => {
      const items: Item[] = [];
      let cursor = first.next_cursor;
      for (let page = 0; page < pages && cursor; page++) {
        const got: Page<Item> = await fetchPage<Item>(address(cursor));
        items.push(...got.items);
        cursor = got.next_cursor;
      }
      // The user may have added another page during the requests.
      if (added.get(key)?.pages === pages) store(key, { items, next_cursor: cursor, pages });
    };
    // If the reload fails, the old items stay.
    if (reloads && more) again(more.pages).catch(() => {});
  });
  return { items: withoutRepetition(first.items, more?.items ?? []), next, state, load: () => void load() };
}

/** After a reload the first page may contain an item that was added before. */
export function withoutRepetition<Item extends { id: string }>(first: Item[], added: Item[]): Item[] {
  const shown = new Set(first.map(({ id }) => id));
  return [...first, ...added.filter(({ id }) => !shown.has(id))];
}
