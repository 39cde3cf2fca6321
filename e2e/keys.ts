import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/**
 * Runs in the page. @returns why the focus is not visible: no outline, out of view or covered; null if it is visible
 */
export function whyFocusIsHidden(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  // If the control is drawn by its label, the label shows the focus.
  const at = focused.matches("label .visually-hidden") ? focused.closest("label")! : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const points = [0.05, 0.5, 0.95].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y] as const));
  const uncovered = points.some(([x, y]) => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return top !== null && (at.contains(top) || top.contains(at));
  });
  const what = `${at.outerHTML.slice(0, 120)}: `;
  if (
    !focused.matches(":focus-visible, [type=date]:focus-within") ||
    outlineStyle === "none" ||
    Number.parseFloat(outlineWidth) < 2
  )
    return `${what}no outline`;
  return uncovered ? null : `${what}out of view or covered, ${Math.round(box.top)} to ${Math.round(box.bottom)}`;
}

const MOST_STOPS = 200;

/** Presses Tab until `target` has the focus. Fails if the focus is not visible at any stop. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    if (await target.evaluateAll((found) => found.includes(document.activeElement as SVGElement))) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(whyFocusIsHidden), "the focus is visible").toBeNull();
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Moves the focus to an element with Tab and presses a key. */
export async function focusAndPress(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
