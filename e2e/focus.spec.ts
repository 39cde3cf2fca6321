import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { whyFocusIsHidden } from "./keys.ts";
import { SCREENS, showScreen, whoLooks } from "./screens.ts";

test.describe("from its first stop to its last the focus is seen, and Tab leaves again", () => {
  for (const screen of SCREENS)
    test(screen.name, async ({ someone, talked, watch }) => {
      if (screen.status) watch.expectStatus(screen.status);
      const page = await someone(whoLooks(screen, talked));
      await showScreen(page, screen, talked);
      // What the screen's preparation left the focus on is no matter here.
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const hidden: string[] = [];
      const first = await stopAfterTab(page, hidden);
      expect(first, "there is somewhere to go").not.toBeNull();
      let stops = 1;
      for (let at = first; at !== null; stops++) {
        expect(stops, "Tab goes on and on").toBeLessThan(400);
        at = await stopAfterTab(page, hidden);
        // A dialog keeps the focus: past its last stop comes its first.
        if (at === first) break;
      }
      expect(hidden).toEqual([]);
    });
});

/** Presses Tab; which element has the focus then, as a number, or null when the page has none. */
async function stopAfterTab(page: Page, hidden: string[]): Promise<number | null> {
  await page.keyboard.press("Tab");
  const why = await page.evaluate(whyFocusIsHidden);
  if (why) hidden.push(why);
  return page.evaluate(() => {
    const at = document.activeElement;
    return !at || at === document.body ? null : [...document.querySelectorAll("*")].indexOf(at);
  });
}
