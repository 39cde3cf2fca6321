import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

const focused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

/** In the page: whether the focus can be seen: outlined, in view, and not wholly under something that stays in place. Null when it can. */
export function whyFocusIsHidden(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  // Of a control that is drawn by its label, the label shows the focus.
  const at = focused.matches("label .visually-hidden") ? focused.closest("label")! : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const points = [0.05, 0.5, 0.95].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y] as const));
  const uncovered = points.some(([x, y]) => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return top !== null && (at.contains(top) || top.contains(at));
  });
  const what = `${at.outerHTML.slice(0, 120)}: `;
  if (!focused.matches(":focus-visible") || outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2)
    return `${what}no outline`;
  return uncovered ? null : `${what}out of view or covered, ${Math.round(box.top)} to ${Math.round(box.bottom)}`;
}

/** More stops than any page of these tests has. */
const MOST_STOPS = 200;

/**
 * Presses Tab until the focus is there, as someone without a mouse would once they see where they want to go; it must be
 * seen at every stop on the way.
 */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    if ((await target.count()) && (await focused(target))) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(whyFocusIsHidden), "the focus cannot be seen").toBeNull();
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** Goes to something with Tab and presses a key on it. */
export async function pressOn(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field with Tab and types into it, over what it holds. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}
