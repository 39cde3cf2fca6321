import { defineConfig } from "@playwright/test";
import base from "../playwright.config.ts";

/** `npm run screenshots`: every screen as a sheet of pictures, to be looked at. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "screenshots.ts",
  globalSetup: "./start.ts",
  outputDir: "../test-results/screenshots",
  timeout: 120_000,
  reporter: "list",
  projects: [{ name: "screenshots" }],
});
