import { expect, test } from "vitest";
import { withoutRepetition } from "./paged-list.ts";

test("shows an item once that moved to the first page after it was added", () => {
  const items = (...ids: string[]) => ids.map((id) => ({ id }));
  expect(withoutRepetition(items("b", "c"), items("c", "d"))).toEqual(items("b", "c", "d"));
});
