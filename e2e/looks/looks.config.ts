import { defineConfig } from "@playwright/test";
import base from "../../playwright.config.ts";

/** `LOOKS=FOLDER npm run looks`: what every screen looks like, to be compared with what it looked like before. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "record.ts",
  globalSetup: "./start.ts",
  outputDir: "../../test-results/looks",
  timeout: 180_000,
  // One after the other: some screens leave something behind.
  workers: 1,
  fullyParallel: false,
  reporter: "list",
  projects: [{ name: "looks" }],
});
