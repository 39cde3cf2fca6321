import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { whyFocusIsHidden } from "./keys.ts";
import { SCREENS, showScreen, viewerOptions } from "./screens.ts";

test.describe("the focus is visible at every stop, and Tab leaves the page again", () => {
  for (const screen of SCREENS)
    test(screen.name, async ({ openPage, threadFixture, watch }) => {
      if (screen.status) watch.expectStatus(screen.status);
      const page = await openPage(viewerOptions(screen, threadFixture));
      await showScreen(page, screen, threadFixture);
      // Removes the focus that the preparation may have set.
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const hidden: string[] = [];
      const first = await stopAfterTab(page, hidden);
      expect(first, "the page has a stop").not.toBeNull();
      let stops = 1;
      for (let at = first; at !== null; stops++) {
        expect(stops, "Tab leaves the page within 400 stops").toBeLessThan(400);
        at = await stopAfterTab(page, hidden);
        // A dialog traps the focus: its first stop follows its last one.
        if (at === first) break;
      }
      expect(hidden).toEqual([]);
    });
});

/** Presses Tab. @returns the index of the focused element, or null if none has the focus */
async function stopAfterTab(page: Page, hidden: string[]): Promise<number | null> {
  await page.keyboard.press("Tab");
  const why = await page.evaluate(whyFocusIsHidden);
  if (why) hidden.push(why);
  return page.evaluate(() => {
    const at = document.activeElement;
    return !at || at === document.body ? null : [...document.querySelectorAll("*")].indexOf(at);
  });
}
