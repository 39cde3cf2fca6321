import type { Page } from "@playwright/test";
import { FULL_RUN } from "#test/full-run.ts";
import { expect, PHONE, type ThreadFixture, test } from "./fixtures.ts";
import { whyFocusIsHidden } from "./keys.ts";
import {
  expectAccessible,
  expectDrawings,
  expectNoSidewaysScroll,
  expectNothingCutOff,
  expectReadableColours,
  expectWholeWords,
} from "./screen-checks.ts";
import { SCREENS, type Screen, showScreen } from "./screens.ts";

/** The short run checks some screens, which include a consultation and the help lines. */
const CHECKED = FULL_RUN ? SCREENS : SCREENS.filter((_, at) => at % 6 === 2);
/** Screens of one viewer share a page, because a browser with cached files loads the next ones twice as fast. */
const VIEWERS = Map.groupBy(CHECKED, ({ as = "visitor" }) => as);

for (const [viewer, screens] of VIEWERS)
  test(`every screen of the viewer is accessible and fits (${viewer})`, async ({ visit, threadFixture, watch }) => {
    const page = await visit(viewer, "about:blank");
    for (const screen of screens)
      await test.step(screen.name, async () => {
        if (screen.status) watch.expectStatus(screen.status);
        await checkScreen(page, screen, threadFixture);
      });
  });

async function checkScreen(page: Page, screen: Screen, threadFixture: ThreadFixture): Promise<void> {
  const { name, byWidth } = screen;
  // One theme per screen, half of the screens in each. The full run checks all in both.
  const first = SCREENS.indexOf(screen) % 4 < 2 ? "light" : "dark";
  const second = first === "light" ? "dark" : "light";
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: first });
  await showScreen(page, screen, threadFixture);
  await expect.soft(page.locator("html")).toHaveAttribute("lang", "es");
  await expect.soft(page).toHaveTitle(/\S · Diván$|^Diván · \S/);
  await expectAccessible(page, `${name}, ${first}`);
  await expectDrawings(page);
  await expectNoSidewaysScroll(page);
  expect.soft(await page.evaluate(smallControls), `${name}, small controls`).toEqual([]);
  if (FULL_RUN) {
    await page.emulateMedia({ colorScheme: second });
    await expectReadableColours(page, `${name}, ${second}`);
  }
  // 1280 by 1024 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await expectNoSidewaysScroll(page);
  if (FULL_RUN) {
    await expectNothingCutOff(page);
    expect.soft(await stickyHeight(page), "fixed and sticky elements use at most 89 of 256 pixels").toBeLessThan(90);
  }

  await page.setViewportSize(PHONE);
  if (byWidth) await showScreen(page, screen, threadFixture);
  expect.soft(await page.evaluate(smallControls), `${name}, small controls on a phone`).toEqual([]);
  if (byWidth || FULL_RUN) await expectAccessible(page, `${name}, on a phone`);
  if (FULL_RUN) {
    await page.emulateMedia({ colorScheme: first });
    await expectReadableColours(page, `${name}, on a phone, ${first}`);
  }
  for (const size of FULL_RUN ? ["150%", "200%"] : ["200%"]) {
    await page.evaluate((text) => {
      document.documentElement.style.fontSize = text;
    }, size);
    await test.step(`fits with text at ${size}`, async () => {
      await expectNoSidewaysScroll(page);
      await expectNothingCutOff(page);
      await expectWholeWords(page);
    });
  }
  if (FULL_RUN) await expectVisibleFocus(page);
}

/** Returns the height of the fixed and sticky elements that cover a scrolled page or a dialog. */
const stickyHeight = (page: Page) =>
  page.evaluate(() => {
    // Sticky elements stick below the start of a page and above the end of a dialog.
    scrollTo({ top: 400, behavior: "instant" });
    const modal = document.querySelector("dialog:modal");
    modal?.scrollTo({ top: 0, behavior: "instant" });
    return (
      [...(modal ?? document.body).querySelectorAll("*")]
        .filter((element) => /^(fixed|sticky)$/.test(getComputedStyle(element).position) && element.checkVisibility())
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

/** Presses Tab until it leaves the page. Expects that the focus is visible at every stop. */
async function expectVisibleFocus(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "";
    (document.activeElement as HTMLElement | null)?.blur();
  });
  const hidden: string[] = [];
  /** Presses Tab. @returns the index of the focused element, or null if none has the focus */
  const nextStop = async () => {
    await page.keyboard.press("Tab");
    const why = await page.evaluate(whyFocusIsHidden);
    if (why) hidden.push(why);
    return page.evaluate(() => {
      const at = document.activeElement;
      return !at || at === document.body ? null : [...document.querySelectorAll("*")].indexOf(at);
    });
  };
  const first = await nextStop();
  expect(first, "the page has a stop").not.toBeNull();
  let stops = 1;
  for (let at = first; at !== null; stops++) {
    expect(stops, "Tab leaves the page within 400 stops").toBeLessThan(400);
    at = await nextStop();
    // A dialog traps the focus: its first stop follows its last one.
    if (at === first) break;
  }
  expect(hidden).toEqual([]);
}

/** Runs in the page. @returns the controls that are smaller than 44 by 44 pixels */
const smallControls = () =>
  [...document.querySelectorAll("button, summary, select, input, textarea, .button, nav a, article h2 a, article h3 a")]
    .map((element) =>
      element.matches("[type=checkbox], [type=radio]:not(.visually-hidden)") ? element.closest("label")! : element,
    )
    .filter(
      (element) => element.checkVisibility() && !element.matches("[type=hidden], .visually-hidden, .visually-hidden *"),
    )
    .map((element) => {
      // A card's title covers the whole card with its pseudo-element.
      const after = getComputedStyle(element, "::after");
      const box = after.position === "absolute" ? element.closest("article")! : element;
      const { width, height } = box.getBoundingClientRect();
      return { width, height, text: element.outerHTML.slice(0, 100) };
    })
    .filter(({ width, height }) => Math.round(width) < 44 || Math.round(height) < 44)
    .map(({ width, height, text }) => `${width} x ${height}: ${text}`);
