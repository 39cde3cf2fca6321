import { randomInt } from "node:crypto";
import type { BrowserContextOptions, Locator, Page } from "@playwright/test";
import type { Person } from "#test/people.ts";
import { test as base, expect } from "../fixtures.ts";
import { type Community, openCommunity } from "./community.ts";
import { nameOf, quotedTexts, SEEN } from "./quoted.ts";

/** Who looks at a page. */
export const ROLES = ["visitor", "user", "pending", "verified", "gold", "admin"] as const;
export type Role = (typeof ROLES)[number];

const QUOTED = new Set(quotedTexts().map(nameOf));

/** The words of an element that a person sees: what is hidden, or there for screen readers alone, is left out. */
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

/** Finds a text as the specification quotes it, as whole words; "..." at its beginning means that it ends a sentence. */
function patternOf(text: string, filled: Record<string, string>): RegExp {
  const words = text.replace(/^\.\.\./, "").replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "?");
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const end = text.startsWith("...") ? "\\s*$" : /[\p{L}\d]$/u.test(text) ? "(?![\\p{L}\\d])" : "";
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${end}`, "u");
}

type Situations = {
  /**
   * Waits until a text of the specification is on screen inside an element, and counts it.
   * @param ids the requirement that quotes it, or several that quote the same
   * @param filled values for what the text names in braces
   */
  seen(ids: string | string[], text: string, where: Locator, filled?: Record<string, string>): Promise<void>;
  /** Chooses a text of the specification in a list, sees that it is what the list shows, and counts it. */
  seenAsChoice(ids: string | string[], text: string, select: Locator): Promise<void>;
  /** Counts a text that is on no screen, once the test has shown it where it is. */
  shownElsewhere(id: string, text: string): void;
  /** Opens a browser of its own for somebody and goes to an address. */
  visit(who: Role | Person, address: string, options?: BrowserContextOptions): Promise<Page>;
};

/** Tests on a server whose small community belongs to the texts alone. */
export const test = base.extend<Situations, { community: Community }>({
  community: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const community = await openCommunity();
      await use(community);
      await community.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  baseURL: async ({ community }, use) => use(community.url),

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
          expect(await where.evaluate(visibleWords, null, { timeout: 500 })).toMatch(pattern);
        },
        `${[ids].flat().join(", ")} '${text}' is on screen`,
      ).toPass({ timeout: 10_000 });
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

  visit: async ({ browser, community, watch }, use) => {
    const opened: { close(): Promise<void> }[] = [];
    await use(async (who, address, options = {}) => {
      const person = typeof who === "string" ? community.people[who] : who;
      const [name = "", value = ""] = person?.cookie.split("=") ?? [];
      const { hostname: domain } = new URL(community.url);
      const cookies = person
        ? [{ name, value, domain, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" as const }]
        : [];
      const context = await browser.newContext({
        storageState: { cookies, origins: [] },
        // The limits against abuse are for those who are one address.
        extraHTTPHeaders: { "x-forwarded-for": `198.18.${randomInt(256)}.${randomInt(256)}` },
        ...options,
      });
      opened.push(context);
      watch.follow(context);
      const page = await context.newPage();
      await page.goto(address);
      return page;
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

export { expect };

/** The toast that shows a title, with its description. */
export const toastWith = (page: Page, words: string): Locator =>
  page.getByRole("region", { name: "Avisos" }).locator(".toast").filter({ hasText: words });

/** Answers what a page asks the server for as a broken proxy does, before the server hears of it. */
export async function breakRequests(page: Page, path: RegExp, status = 503): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({ status, contentType: "text/html", body: "<h1>Service Unavailable</h1>" }),
  );
}

/** The session ends while the page stays open, as it does when another browser signs out everywhere. */
export const loseSession = (page: Page): Promise<void> => page.context().clearCookies({ name: "sid" });
