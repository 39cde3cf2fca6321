import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { unpackedChromium } from "./e2e/chromium.ts";
import { PATIENCE_MS } from "./test/eventually.ts";
import { FULL_RUN } from "./test/full-run.ts";

const { executablePath, env } = await unpackedChromium();

/** What looks at every screen once more, at 400 % and stop by stop, or at every part in a development server: the full run has it. */
const CLOSER = FULL_RUN ? [] : ["zoom.spec.ts", "focus.spec.ts", "development.spec.ts"];

/** Patterns of files of tests. @throws Error when one of them is not there */
const specs = (...names: string[]) =>
  names.map((name) => {
    if (!existsSync(join(import.meta.dirname, "e2e", `${name}.spec.ts`))) throw new Error(`No e2e/${name}.spec.ts.`);
    return new RegExp(`/e2e/${name}\\.spec\\.ts$`);
  });

/**
 * What these say and do does not depend on the width, or they set widths of their own: one project is enough for each. How
 * their screens fit a phone is looked at in the wide ones all the same (`expectNoSidewaysScroll`).
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
  "gallery",
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
  "correcting",
  "drafts",
  "feed-and-votes",
  "lists",
  "main-job",
  "renewal",
  "replies",
  "responding",
  "sessions",
);

/** These fit both widths, and one of them is enough but for the full run. */
const ONCE_WIDE = FULL_RUN ? [] : specs("keyboard", "modified-clicks");
const ONCE_NARROW = FULL_RUN
  ? []
  : specs("copying", "help", "no-javascript", "ranking", "test-payments", "toasts", "visitor", "waiting");

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/start.ts",
  fullyParallel: true,
  ...(FULL_RUN ? {} : { grepInvert: /@full/ }),
  // Two browsers, two servers and a PostgreSQL share what is often a machine of two slow cores.
  workers: 2,
  // A busy machine runs a whole test slowly. A failed expectation ends after PATIENCE_MS.
  timeout: 600_000,
  expect: { timeout: PATIENCE_MS, toPass: { timeout: PATIENCE_MS } },
  forbidOnly: Boolean(process.env.CI),
  reporter: [[process.env.CI ? "line" : "list"], ["./e2e/texts/count.ts"], ["./e2e/failures.ts"]],
  outputDir: "test-results",
  use: {
    actionTimeout: PATIENCE_MS,
    // Neither the server's language nor its time zone: what differs between the two must not disturb a page.
    locale: "es-AR",
    timezoneId: "America/Argentina/Buenos_Aires",
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every test slows the run down; `--trace on` asks for it.
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
