import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { unpackedChromium } from "./e2e/chromium.ts";
import { WAIT_TIMEOUT_MS } from "./test/eventually.ts";
import { FULL_RUN } from "./test/full-run.ts";

const { executablePath, env } = await unpackedChromium();

// Servers and workers load compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "compiled");

/**
 * Specs that only the full run includes: details of screens, and rules of the server that other tests prove. The short
 * run has the journeys and what must not be lost. It skips single tests, too: `detail` (e2e/fixtures.ts).
 */
const DETAILS = `account appearance contents decisions development first-screens lists
  long-words new-answers renewal replies templates waiting`.split(/\s+/);

export default defineConfig({
  testDir: "e2e",
  testIgnore: FULL_RUN ? [] : DETAILS.map((name) => join(import.meta.dirname, "e2e", `${name}.spec.ts`)),
  globalSetup: "./e2e/start.ts",
  fullyParallel: true,
  // Two browsers, two servers and a PostgreSQL often share a machine with two slow cores.
  workers: 2,
  // A whole test is slow on a busy machine. A failed expectation ends after PATIENCE_MS.
  timeout: 600_000,
  expect: { timeout: WAIT_TIMEOUT_MS, toPass: { timeout: WAIT_TIMEOUT_MS } },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? "line" : "list",
  outputDir: "test-results",
  use: {
    actionTimeout: WAIT_TIMEOUT_MS,
    // Differs from the server's locale and time zone, so that tests detect pages that depend on them.
    locale: "es-AR",
    timezoneId: "America/Argentina/Buenos_Aires",
    // Specs of a phone set PHONE_DEVICE (e2e/fixtures.ts).
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: "reduce" },
    // A service worker would hide requests from tests that change them. The tests of it allow it.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    // Traces slow down the run. Use `--trace on` if you need them.
    trace: "off",
    launchOptions: {
      executablePath,
      env,
      // Pages live too short to repay the compilation of optimized code, which takes a tenth of the browsers' time.
      args: ["--no-sandbox", "--headless=shell", "--js-flags=--no-opt --no-maglev"],
    },
  },
});
