import { expect, test } from "./fixtures.ts";
import { expectNoSidewaysScroll, expectNothingCutOff } from "./screen-checks.ts";
import { SCREENS, showScreen, viewerOptions } from "./screens.ts";

/** A window of 1280 by 1024 pixels at 400 %. Phones are checked at 390 pixels by all tests. */
const ZOOMED = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

test.describe("fits at 400 % without horizontal scrolling or cut-off controls", () => {
  for (const screen of SCREENS)
    test(screen.name, async ({ openPage, threadFixture, watch }) => {
      if (screen.status) watch.expectStatus(screen.status);
      const page = await openPage({ ...viewerOptions(screen, threadFixture), ...ZOOMED });
      await showScreen(page, screen, threadFixture);
      await expectNoSidewaysScroll(page);
      await expectNothingCutOff(page);
      // Sticky elements stick below the start of a page and above the end of a dialog.
      await page.evaluate(() => {
        scrollTo({ top: 400, behavior: "instant" });
        document.querySelector("dialog:modal")?.scrollTo({ top: 0, behavior: "instant" });
      });
      const staying = await page.evaluate(() => {
        const modal = document.querySelector("dialog:modal");
        return (
          [...(modal ?? document.body).querySelectorAll("*")]
            .filter(
              (element) => /^(fixed|sticky)$/.test(getComputedStyle(element).position) && element.checkVisibility(),
            )
            // The footer sticks to the end of a short page, where it covers nothing.
            .filter((element) => !element.matches(".toasts, .toasts *, dialog, .skip-link, .site-footer"))
            .map((element) => element.getBoundingClientRect())
            .filter(
              ({ top, bottom, height }) =>
                height > 0 && top < innerHeight && bottom > 0 && (top <= 1 || bottom >= innerHeight - 1),
            )
            .reduce((sum, { height }) => sum + height, 0)
        );
      });
      expect(staying, "fixed and sticky elements use at most 89 of 256 pixels").toBeLessThan(90);
    });
});
