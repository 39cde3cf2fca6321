import { expect, test, vi } from "vitest";
import { handleInPage, isModifiedClick } from "./modified-click.ts";

const PLAIN = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

test("treats a click without a modifier key as a normal click", () => {
  expect(isModifiedClick(PLAIN)).toBe(false);
});

test.each(["metaKey", "ctrlKey", "shiftKey", "altKey"])("treats a click with %s as modified", (key) => {
  expect(isModifiedClick({ ...PLAIN, [key]: true })).toBe(true);
});

test("runs the handler instead of following the link unless the click is modified", () => {
  const act = vi.fn();
  const plain = { ...PLAIN, preventDefault: vi.fn() };
  handleInPage(act)(plain);
  expect([act.mock.calls, plain.preventDefault.mock.calls.length]).toEqual([[[plain]], 1]);
  const modified = { ...PLAIN, ctrlKey: true, preventDefault: vi.fn() };
  handleInPage(act)(modified);
  expect([act.mock.calls.length, modified.preventDefault.mock.calls.length]).toEqual([1, 0]);
});
