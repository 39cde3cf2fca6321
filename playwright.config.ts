import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { unpackedChromium } from "./e2e/chromium.ts";
import { WAIT_TIMEOUT_MS } from "./test/eventually.ts";
import { FULL_RUN } from "./test/full-run.ts";

const { executablePath, env } = await unpackedChromium();

/**
 * Specs that only the full run includes: they check every screen at 400 % and at each focus stop, and every part in
 * development.
 */
const CLOSER = FULL_RUN ? [] : ["zoom.spec.ts", "focus.spec.ts", "development.spec.ts"];

/** Converts names of specs to patterns. @throws Error if a spec does not exist */
const specs = (...names: string[]) =>
  names.map((name) => {
    if (!existsSync(join(import.meta.dirname, "e2e", `${name}.spec.ts`))) throw new Error(`No e2e/${name}.spec.ts.`);
    return new RegExp(`/e2e/${name}\\.spec\\.ts$`);
  });

/**
 * Specs that only run in the project "desktop", because their behaviour does not depend on the width or they set it
 * themselves. Their screens are still checked for a phone's width (`expectNoSidewaysScroll`).
 */
const WIDE = specs(
  "access",
  "account",
  "administration",
  "bytes",
  "contents",
  "decisions",
  "development",
  "faults",
  "first-screens",
  "long-words",
  "lost-responses",
  "membership",
  "paying-mercadopago",
  "paying-paypal",
  "payment-states",
  "zoom",
);
const NARROW = specs(
  "new-answers",
  "editing",
  "drafts",
  "feed-and-votes",
  "lists",
  "question-to-answer",
  "renewal",
  "replies",
  "responding",
  "sessions",
);

/** Specs for both widths that the short run includes only once. */
const ONCE_WIDE = FULL_RUN ? [] : specs("keyboard", "modified-clicks");
const ONCE_NARROW = FULL_RUN
  ? []
  : specs("copying", "help", "no-javascript", "ranking", "test-payments", "toasts", "visitor", "waiting");

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/start.ts",
  fullyParallel: true,
  ...(FULL_RUN ? {} : { grepInvert: /@full/ }),
  // Two browsers, two servers and a PostgreSQL often share a machine with two slow cores.
  workers: 2,
  // A whole test is slow on a busy machine. A failed expectation ends after PATIENCE_MS.
  timeout: 600_000,
  expect: { timeout: WAIT_TIMEOUT_MS, toPass: { timeout: WAIT_TIMEOUT_MS } },
  forbidOnly: Boolean(process.env.CI),
  reporter: [[process.env.CI ? "line" : "list"], ["./e2e/texts/count.ts"], ["./e2e/failures.ts"]],
  outputDir: "test-results",
  use: {
    actionTimeout: WAIT_TIMEOUT_MS,
    // Differs from the server's locale and time zone, so that tests detect pages that depend on them.
    locale: "es-AR",
    timezoneId: "America/Argentina/Buenos_Aires",
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Traces slow down the run. Use `--trace on` if you need them.
    trace: "off",
    launchOptions: { executablePath, env, args: ["--no-sandbox", "--headless=shell"] },
  },
  projects: [
    {
      name: "phone",
      testIgnore: ["texts/**", ...WIDE, ...ONCE_WIDE, ...CLOSER],
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    {
      name: "desktop",
      testIgnore: [...NARROW, ...ONCE_NARROW, ...CLOSER],
      use: { viewport: { width: 1280, height: 900 } },
    },
  ],
});
