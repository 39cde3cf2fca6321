import type { Locator } from "@playwright/test";
import { WAIT_TIMEOUT_MS } from "#test/eventually.ts";
import { test as base, expect } from "../community.ts";
import { nameOf, quotedTexts, SEEN } from "./quoted.ts";

const QUOTED = new Set(quotedTexts().map(nameOf));

/** Returns the visible words of an element. Excludes hidden text and text for screen readers only. */
function visibleWords(element: Element): string {
  const isClipped = (from: Element): boolean => {
    for (let at: Element | null = from; at && at !== document.body; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      if (getComputedStyle(at).overflow === "hidden" && (width <= 1 || height <= 1)) return true;
    }
    return false;
  };
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let words = "";
  let before: Element | null = null;
  while (nodes.nextNode()) {
    const parent = nodes.currentNode.parentElement;
    if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isClipped(parent)) continue;
    words += (parent === before ? "" : " ") + nodes.currentNode.nodeValue;
    before = parent;
  }
  return words.replace(/\s+/g, " ");
}

/** Matches a quoted text as whole words. A leading "..." means that it ends a sentence. */
function patternOf(text: string, filled: Record<string, string>): RegExp {
  const words = text.replace(/^\.\.\./, "").replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "?");
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const end = text.startsWith("...") ? "\\s*$" : /[\p{L}\d]$/u.test(text) ? "(?![\\p{L}\\d])" : "";
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${end}`, "u");
}

type Situations = {
  /**
   * Waits until a quoted text is visible inside an element, and counts it.
   * @param ids the requirements that quote it
   * @param filled values for the placeholders in braces
   */
  seen(ids: string | string[], text: string, where: Locator, filled?: Record<string, string>): Promise<void>;
  /** Selects a quoted text in a list, expects that it is selected, and counts it. */
  seenAsChoice(ids: string | string[], text: string, select: Locator): Promise<void>;
  /** Counts a text that no screen shows, after the test has shown it elsewhere. */
  shownElsewhere(id: string, text: string): void;
};

/** Tests of quoted texts, on a server with a small community. */
export const test = base.extend<Situations>({
  shownElsewhere: async ({ browserName: _ }, use, info) => {
    await use((id, text) => {
      const name = nameOf({ id, text });
      if (!QUOTED.has(name)) throw new Error(`The specification does not quote ${name}.`);
      info.annotations.push({ type: SEEN, description: name });
    });
  },

  seen: async ({ shownElsewhere: count }, use) => {
    await use(async (ids, text, where, filled = {}) => {
      const pattern = patternOf(text, filled);
      await expect(
        async () => {
          expect(await where.evaluate(visibleWords, null, { timeout: 5_000 })).toMatch(pattern);
        },
        `${[ids].flat().join(", ")} '${text}' is on screen`,
      ).toPass({ timeout: WAIT_TIMEOUT_MS });
      for (const id of [ids].flat()) count(id, text);
    });
  },

  seenAsChoice: async ({ shownElsewhere: count }, use) => {
    await use(async (ids, text, select) => {
      await expect(select).toBeVisible();
      await select.selectOption(text);
      await expect(select.locator("option:checked")).toHaveText(text);
      for (const id of [ids].flat()) count(id, text);
    });
  },
});

export { breakRequests, expect, expectToast, toastWith } from "../community.ts";
export { deleteSessionCookie } from "../fixtures.ts";
