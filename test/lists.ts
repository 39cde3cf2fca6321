import { expect } from "vitest";
import type { TestApp, TestUser } from "./app.ts";

/** Yields the items of each page of an API's list, from the first to the last. */
export async function* pagesOf<Item = { id: string }>(
  app: TestApp,
  path: string,
  as: TestUser | null = null,
): AsyncGenerator<Item[]> {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = `${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
    const { status, body } = await app.call("GET", path + query, undefined, as);
    expect(status, path + query).toBe(200);
    yield body.items;
    cursor = body.next_cursor;
  }
}

export const idsIn = async (pages: AsyncIterable<{ id: string }[]>) =>
  (await Array.fromAsync(pages)).flat().map(({ id }) => id);
