/** What every screen has to be: accessible, within its edges, with all its drawings. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import { PHONE } from "./fixtures.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The packed file is half as long as what the module calls its source, and every page parses it once. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What a theme can break; the rest was the same before it changed. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Checks the page as it is with axe, by all rules except `butFor`. */
export async function expectAccessible(
  page: Page,
  what = new URL(page.url()).pathname,
  butFor: string[] = [],
): Promise<void> {
  const rules = Object.fromEntries(butFor.map((rule) => [rule, { enabled: false }]));
  await expectNoViolations(page, what, { runOnly: { type: "tag", values: RULES }, rules });
}

/** Checks with axe what can be wrong in one theme only, in a page that was checked in the other. */
export async function expectReadableColours(page: Page, what: string): Promise<void> {
  await expectNoViolations(page, what, { runOnly: { type: "rule", values: RULES_OF_COLOUR } });
}

async function expectNoViolations(page: Page, what: string, options: RunOptions): Promise<void> {
  // What happens to lie under the sticky header after scrolling is no smaller for it.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (options) => {
    // Only violations are described in full: the rest takes longer than the rules themselves.
    const { violations } = await window.axe.run({ ...options, resultTypes: ["violations"], iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${node.target.join(" ")}: ${node.failureSummary?.replace(/\s+/g, " ")}`),
    );
  }, options);
  expect(found, `axe, ${what}`).toEqual([]);
}

/** Nothing lies beyond the right edge, neither here nor on a phone: no scrolling sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expectFits(page);
  const here = page.viewportSize()!;
  if (here.width <= PHONE.width) return;
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await page.setViewportSize(here);
}

async function expectFits(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const outside = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [
      `${scrollWidth} > ${clientWidth}`,
      ...outside.slice(0, 8).map((element) => element.outerHTML.slice(0, 120)),
    ];
  });
  const { pathname } = new URL(page.url());
  expect(beyond, `sideways, ${pathname}, ${page.viewportSize()!.width} px`).toEqual([]);
}

/** Every drawing that the page takes from a file has come: one that is not in its file, or a broken file, shows nothing. */
export async function expectDrawings(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.querySelectorAll("use")]
          .filter((use) => use.checkVisibility() && use.getBBox().width === 0)
          .map((use) => use.getAttribute("href")),
      ),
    )
    .toEqual([]);
}

/** What can be pressed or filled in, and every heading, lies between the edges; what scrolls for itself does not count. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  const cutOff = await page.evaluate(() =>
    [...document.querySelectorAll("button, a, input, select, textarea, h1, h2, h3, label, summary")]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(".visually-hidden, .skip, .chips, .desk-tabs"),
      )
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -1 || right > innerWidth + 1);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  const { pathname } = new URL(page.url());
  expect(cutOff, `beyond an edge, ${pathname}`).toEqual([]);
}
