import { defineConfig } from "@playwright/test";
import base from "../playwright.config.ts";

/** Configuration of `npm run screenshots`, which makes a sheet of pictures of every screen. */
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
