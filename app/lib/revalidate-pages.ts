import { useEffect, useRef } from "react";
import { fetchPage, type MorePages, type Page } from "./more-pages.ts";

/**
 * Reloads the added pages of a list when the page itself reloads, so that they show the user's last action.
 * @param first first page of the list, from the loader
 * @param address returns the API URL of the page at a cursor
 * @param loaded value that changes when the loader runs again
 */
export function useRevalidatePages<Item>(
  list: MorePages<Item>,
  first: Page<Item>,
  address: (cursor: string) => string,
  loaded: unknown,
): void {
  const seen = useRef(loaded);
  useEffect(() => {
    if (seen.current === loaded) return;
    seen.current = loaded;
    const again = async () => {
      const items: Item[] = [];
      let cursor = first.next_cursor;
      for (let page = 0; page < list.pages && cursor; page++) {
        const got: Page<Item> = await fetchPage<Item>(address(cursor));
        items.push(...got.items);
        cursor = got.next_cursor;
      }
      list.replace({ items, next_cursor: cursor });
    };
    // If the reload fails, the old items stay.
    if (list.pages) again().catch(() => {});
  });
}
