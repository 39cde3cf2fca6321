/** Tags of a page: the changes that affect it (docs/decisions/0006). */
import { isUuid } from "#shared/ids.ts";
import { isList, LISTS } from "./page-keys.ts";

export type PageTags = {
  /** Ids of all items on the page. After an edit or deletion of one, the page may not be sent any more. */
  items: Set<string>;
  /** Tags of changes after which the page may be sent for a short time. */
  counts: Set<string>;
};

const CARD = "card:";

/** True if a page depends on the counts with a tag. "card:id" is for the pages that show this psychologist. */
export const hasCounts = ({ items, counts }: PageTags, tag: string): boolean =>
  counts.has(tag) || (tag.startsWith(CARD) && items.has(tag.slice(CARD.length)));

/** Part of a tag that finds pages. */
export const subjectOf = (tag: string): string => (tag.startsWith(CARD) ? tag.slice(CARD.length) : tag);

function addIds(value: unknown, items: Set<string>): void {
  if (typeof value === "string") {
    if (value.length === 36 && isUuid(value)) items.add(value);
  } else if (value && typeof value === "object") for (const part of Object.values(value)) addIds(part, items);
}

/** Returns an interceptor of the API's client that adds the tags of all data that a page loads. */
export function collectTags(path: string, { items, counts }: PageTags) {
  if (isList(path)) counts.add(LISTS);
  const subject = /^\/(?:consulta|psicologo)\/([^/.?]+)/.exec(path)?.[1];
  if (subject) counts.add(subject);
  return async <Result>({ next }: { next: () => PromiseLike<Result> }): Promise<Result> => {
    const result = await next();
    addIds(result, items);
    return result;
  };
}
