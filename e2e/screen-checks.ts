/** Checks that apply to every screen: accessibility, overflow and drawings. */
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

/** The minified file is half as long as the module's source, and every page parses it once. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules that depend on the theme. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Checks the page with axe. */
export async function expectAccessible(page: Page, what = new URL(page.url()).pathname): Promise<void> {
  await expectNoViolations(page, what, { runOnly: { type: "tag", values: RULES } });
}

/** Checks only the rules that depend on the theme, if the page was already checked in the other theme. */
export async function expectReadableColours(page: Page, what: string): Promise<void> {
  await expectNoViolations(page, what, { runOnly: { type: "rule", values: RULES_OF_COLOUR } });
}

async function expectNoViolations(page: Page, what: string, options: RunOptions): Promise<void> {
  // The sticky header must not cover elements during the check of target sizes.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (options) => {
    // Describing all results in full takes longer than the rules themselves.
    const { violations } = await window.axe.run({ ...options, resultTypes: ["violations"], iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${node.target.join(" ")}: ${node.failureSummary?.replace(/\s+/g, " ")}`),
    );
  }, options);
  expect(found, `axe, ${what}`).toEqual([]);
}

/** Expects that the page does not scroll sideways, neither at the current width nor on a phone. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expectFits(page);
  const here = page.viewportSize()!;
  if (here.width <= PHONE.width) return;
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await page.setViewportSize(here);
}

/** Expects that the page does not scroll sideways at the current width. */
export async function expectFits(page: Page): Promise<void> {
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

/** Expects that every drawing from a file is visible. If the file or the drawing is missing, nothing is rendered. */
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

/** Expects that every word of a heading, or of the label of a choice, is on one line. */
export async function expectWholeWords(page: Page): Promise<void> {
  const broken = await page.evaluate(() => {
    const range = document.createRange();
    return (
      [...document.querySelectorAll("h1, h2, h3, .checkbox :not(.hint)")]
        .filter((element) => element.checkVisibility() && !element.closest(".visually-hidden"))
        .flatMap((element) => [...element.childNodes].filter((node) => node instanceof Text))
        // Psychologists' names may be long. Titles that contain one have a no-break space.
        .filter((text) => !text.data.includes("\u00a0") && !text.parentElement!.closest(".admin-row__person"))
        .flatMap((text) =>
          Array.from(text.data.matchAll(/[\p{L}\d]+[?:.]?/gu))
            .filter(({ 0: word, index }) => {
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
            })
            .map(([word]) => `${word} in "${text.data}"`),
        )
    );
  });
  const { pathname } = new URL(page.url());
  expect(broken, `words on two lines, ${pathname}`).toEqual([]);
}

/**
 * Expects that controls and headings are within the viewport, and that a search field has room for its text. Ignores
 * elements in scrollable containers.
 */
export async function expectNothingCutOff(page: Page): Promise<void> {
  const cutOff = await page.evaluate(() =>
    [...document.querySelectorAll("button, a, input, select, textarea, h1, h2, h3, label, summary")]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(".visually-hidden, .skip-link, .chips, .admin-tabs"),
      )
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const room = width - Number.parseFloat(getComputedStyle(element).paddingRight);
        const hidesText = element.matches("[type=search]") && room < width / 2;
        return width > 0 && (left < -1 || right > innerWidth + 1 || hidesText);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  const { pathname } = new URL(page.url());
  expect(cutOff, `cut off, ${pathname}`).toEqual([]);
}
