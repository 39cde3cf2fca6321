import { expect, test, vi } from "vitest";
import { inPage, isModifiedClick } from "./modified-click.ts";

const PLAIN = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

test("a click without a key is the page's own", () => {
  expect(isModifiedClick(PLAIN)).toBe(false);
});

test.each(["metaKey", "ctrlKey", "shiftKey", "altKey"])("a click with %s is the browser's", (key) => {
  expect(isModifiedClick({ ...PLAIN, [key]: true })).toBe(true);
});

test("a link acts in the page instead of leading away, but where its click is the browser's", () => {
  const act = vi.fn();
  const plain = { ...PLAIN, preventDefault: vi.fn() };
  inPage(act)(plain);
  expect([act.mock.calls, plain.preventDefault.mock.calls.length]).toEqual([[[plain]], 1]);
  const modified = { ...PLAIN, ctrlKey: true, preventDefault: vi.fn() };
  inPage(act)(modified);
  expect([act.mock.calls.length, modified.preventDefault.mock.calls.length]).toEqual([1, 0]);
});
