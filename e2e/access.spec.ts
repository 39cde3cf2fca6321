import type { Page } from "@playwright/test";
import { FULL_RUN } from "#test/full-run.ts";
import { expect, FULL_ONLY, PHONE, type ThreadFixture, test, waitForHydration } from "./fixtures.ts";
import {
  expectAccessible,
  expectDrawings,
  expectNoSidewaysScroll,
  expectNothingCutOff,
  expectReadableColours,
} from "./screen-checks.ts";
import { SCREENS, type Screen, showScreen, viewerOptions } from "./screens.ts";

/** The short run checks a quarter of the screens, which includes a consultation and the help lines. */
const CHECKED = FULL_RUN ? SCREENS : SCREENS.filter(({ variant }) => !variant).filter((_, at) => at % 4 === 2);
/** Screens of one viewer share a page, because a browser with cached files loads the next ones twice as fast. */
const VIEWERS = Map.groupBy(CHECKED, ({ as, email }) => as ?? (email ? "users of the demo" : "visitor"));

for (const [viewer, screens] of VIEWERS)
  for (const half of FULL_RUN ? [0, 1] : [0])
    test(`every screen of the viewer is accessible and fits (${viewer}, half ${half + 1})`, async ({
      openPage,
      threadFixture,
      watch,
    }) => {
      let page: Page | undefined;
      for (const screen of screens.filter((_, at) => !FULL_RUN || at % 2 === half))
        await test.step(screen.name, async () => {
          if (screen.status) watch.expectStatus(screen.status);
          if (!page || screen.email) {
            await page?.close();
            page = await openPage(viewerOptions(screen, threadFixture));
          }
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
  if (FULL_RUN) {
    await page.emulateMedia({ colorScheme: second });
    await expectReadableColours(page, `${name}, ${second}`);
  }
  // 1280 by 900 pixels at 400 %. The full run checks this more closely.
  await page.setViewportSize({ width: 320, height: 225 });
  await expectNoSidewaysScroll(page);

  await page.setViewportSize(PHONE);
  if (byWidth) await showScreen(page, screen, threadFixture);
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
    });
  }
}

test("shows only controls of at least 44 by 44 pixels", async ({ page, openPage, threadFixture }) => {
  const user = await openPage({ as: "user" });
  const looks: [Page, string][] = [
    [page, "/"],
    [page, "/auth?modo=registro&tipo=psicologo"],
    [page, "/ayuda"],
    [user, `/consulta/${threadFixture.id}`],
    [user, "/nueva-consulta"],
  ];
  for (const [on, path] of looks) {
    await on.goto(path);
    await waitForHydration(on);
    for (const width of [PHONE.width, 1280]) {
      await on.setViewportSize({ width, height: 844 });
      const small = await on.evaluate(() =>
        [
          ...document.querySelectorAll(
            "button, summary, select, input, textarea, .button, nav a, article h2 a, article h3 a",
          ),
        ]
          .map((element) => (element.matches("[type=checkbox]") ? element.closest("label")! : element))
          .filter(
            (element) =>
              element.checkVisibility() && !element.matches("[type=hidden], .visually-hidden, .visually-hidden *"),
          )
          .map((element) => {
            // A card's title covers the whole card with its pseudo-element.
            const after = getComputedStyle(element, "::after");
            const box = after.position === "absolute" ? element.closest("article")! : element;
            const { width, height } = box.getBoundingClientRect();
            return { width, height, text: element.outerHTML.slice(0, 100) };
          })
          .filter(({ width, height }) => width < 43.9 || height < 43.9)
          .map(({ width, height, text }) => `${Math.round(width)} x ${Math.round(height)}: ${text}`),
      );
      expect(small, `${path}, ${width} px`).toEqual([]);
    }
  }
});

test("finds an image without alternative text or a text with low contrast", FULL_ONLY, async ({ page }) => {
  await page.goto("/ayuda");
  await waitForHydration(page);
  await page.evaluate(() => {
    const pale = document.createElement("p");
    pale.textContent = "Apenas se lee";
    pale.style.cssText = "color: #ddd; background: #fff";
    document.querySelector("main")!.append(pale);
  });
  await expect(expectReadableColours(page, "a pale line")).rejects.toThrow("color-contrast");
  await expect(expectAccessible(page)).rejects.toThrow("color-contrast");
  await expectAccessible(page, "a pale line", ["color-contrast"]);
  await page.evaluate(() => document.querySelector("main")!.append(document.createElement("img")));
  await expect(expectAccessible(page, "a picture", ["color-contrast"])).rejects.toThrow("image-alt");
});
