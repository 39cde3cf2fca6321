import { expect, test } from "vitest";
import { isModifiedClick } from "./modified-click.ts";

const PLAIN = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

test("a click without a key is the page's own", () => {
  expect(isModifiedClick(PLAIN)).toBe(false);
});

test.each(["metaKey", "ctrlKey", "shiftKey", "altKey"])("a click with %s is the browser's", (key) => {
  expect(isModifiedClick({ ...PLAIN, [key]: true })).toBe(true);
});
