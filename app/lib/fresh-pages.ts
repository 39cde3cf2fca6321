import { useEffect, useRef } from "react";
import { fetchPage, type MorePages, type Page } from "./more-pages.ts";

/**
 * Reads the pages that were added to a list anew whenever the page itself was: what was done there is seen there.
 * @param first the beginning of the list, which the page brings
 * @param address of the page at a cursor
 * @param loaded what changes when the page was loaded anew
 */
export function useFreshPages<Item>(
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
    // What cannot be loaded anew stays as it was.
    if (list.pages) again().catch(() => {});
  });
}
