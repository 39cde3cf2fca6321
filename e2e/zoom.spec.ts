import { expect, test } from "./fixtures.ts";
import { expectNoSidewaysScroll, expectNothingCutOff } from "./screen-checks.ts";
import { SCREENS, showScreen, whoLooks } from "./screens.ts";

/** What is left of a window of 1280 by 1024 at 400 %. Zoom is a matter of windows; on phones 390 px are looked at everywhere. */
const ZOOMED = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

test.describe("at 400 % nothing scrolls sideways, nothing is cut off, and what stays in place leaves room to read", () => {
  for (const screen of SCREENS)
    test(screen.name, async ({ someone, talked, watch }) => {
      if (screen.status) watch.expectStatus(screen.status);
      const page = await someone({ ...whoLooks(screen, talked), ...ZOOMED });
      await showScreen(page, screen, talked);
      await expectNoSidewaysScroll(page);
      await expectNothingCutOff(page);
      // With the page scrolled, so that what sticks does.
      await page.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
      const staying = await page.evaluate(() => {
        const modal = document.querySelector("dialog:modal");
        return [...(modal ?? document.body).querySelectorAll("*")]
          .filter((element) => /^(fixed|sticky)$/.test(getComputedStyle(element).position) && element.checkVisibility())
          .filter((element) => !element.matches(".toasts, .toasts *, dialog, .skip"))
          .map((element) => element.getBoundingClientRect())
          .filter(
            ({ top, bottom, height }) =>
              height > 0 && top < innerHeight && bottom > 0 && (top <= 1 || bottom >= innerHeight - 1),
          )
          .reduce((sum, { height }) => sum + height, 0);
      });
      expect(staying, "pixels of 256 that stay in place").toBeLessThan(90);
    });
});
