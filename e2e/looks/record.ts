import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import { SCREENS, showScreen, whoLooks } from "../screens.ts";
import { MOMENT } from "./moment.ts";
import { StyleRecord } from "./styles.ts";

const folder = process.env.LOOKS ?? join(import.meta.dirname, "..", "..", "test-results", "looks-now");
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** A thread, prose, and the two with styles of their own for paper: what a user would print. */
const PRINTED = ["consultation", "privacy", "help", "help in a country"];
/** Milliseconds; whatever a page does to show itself takes less. */
const LONG = 3000;
const INTERACTIVE = "a, button, input, select, textarea, summary, label";

/** Puts everything that can be pressed into a state, until the returned function is called. */
async function force(session: CDPSession, state: string[]): Promise<() => Promise<void>> {
  const { root } = await session.send("DOM.getDocument", { depth: 0 });
  const { nodeIds } = await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: INTERACTIVE });
  const all = (forcedPseudoClasses: string[]) =>
    Promise.all(nodeIds.map((nodeId) => session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses })));
  await all(state);
  return async () => void (await all([]));
}

/** What goes by itself after some seconds, as a toast does, stays until it is recorded. */
function keepWhatWouldGo(long: number): void {
  const start = setTimeout;
  window.setTimeout = ((action: TimerHandler, delay = 0, ...rest: unknown[]) =>
    delay < long ? start(action, delay, ...rest) : 0) as typeof setTimeout;
}

const disable = (page: Page, disabled: boolean) =>
  page.evaluate((off) => {
    for (const control of document.querySelectorAll<HTMLButtonElement>("button, input, select, textarea"))
      if (off && !control.disabled) {
        control.disabled = true;
        control.dataset.disabledHere = "";
      } else if (!off && "disabledHere" in control.dataset) {
        control.disabled = false;
        delete control.dataset.disabledHere;
      }
  }, disabled);

async function recordStates(page: Page, session: CDPSession, styles: StyleRecord): Promise<void> {
  for (const [state, classes] of [
    ["hover", ["hover"]],
    ["focus", ["focus", "focus-visible"]],
  ] as const) {
    const release = await force(session, [...classes]);
    await styles.add(state);
    await release();
  }
  await disable(page, true);
  await styles.add("disabled");
  await disable(page, false);
}

for (const screen of SCREENS)
  test(screen.name, async ({ someone, talked, watch }) => {
    if (screen.status) watch.expectStatus(screen.status);
    mkdirSync(folder, { recursive: true });
    const page = await someone({ ...whoLooks(screen, talked), viewport: WIDE, colorScheme: "light" });
    await page.clock.setFixedTime(MOMENT);
    await page.addInitScript(keepWhatWouldGo, LONG);
    const session = await page.context().newCDPSession(page);
    for (const domain of ["DOM", "CSS", "DOMSnapshot"] as const) await session.send(`${domain}.enable`);
    await showScreen(page, screen, talked);
    const name = screen.name.replace(/[^\p{L}\d]+/gu, "-");

    for (const viewport of [WIDE, NARROW]) {
      if (viewport === NARROW) {
        await page.setViewportSize(NARROW);
        if (screen.byWidth) await showScreen(page, screen, talked);
      }
      await page.evaluate(() => document.fonts.ready);
      // Where the pointer happens to be is no look of the screen.
      await page.mouse.move(0, 0);
      const sheet = `${name}-${viewport.width}`;
      const styles = new StyleRecord(page, session);
      const picture = async (what: string) => {
        const dialog = (await page.locator("dialog:modal").count()) > 0;
        const path = join(folder, `${sheet}-${what}.png`);
        await page.screenshot({ path, fullPage: !dialog, animations: "disabled", caret: "hide" });
      };

      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await styles.add(colorScheme);
        await picture(colorScheme);
      }
      await page.emulateMedia({ colorScheme: "light" });
      if (viewport === WIDE) await recordStates(page, session, styles);
      // Paper is light, whatever the screen is.
      await page.emulateMedia({ colorScheme: "dark", media: "print" });
      await styles.add("print");
      if (PRINTED.includes(screen.name)) await picture("print");
      await page.emulateMedia({ colorScheme: "light", media: "screen" });
      writeFileSync(join(folder, `${sheet}.json.gz`), gzipSync(JSON.stringify(styles.look)));
    }
  });
