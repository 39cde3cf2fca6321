import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/eventually.ts";

export default defineConfig({
  // Elements are made by the function that React has in production too.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    include: ["{app,server,shared,test,scripts}/**/*.test.ts"],
    globalSetup: "./test/global-setup.ts",
    setupFiles: "./test/setup.ts",
    pool: "forks",
    // Tests wait for the database a good part of their time: one more than a small machine has cores.
    maxWorkers: 3,
    // None of these is a measurement: they end what hangs, also on a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    slowTestThreshold: 2_000,
    reporters: ["default", "./test/slowest.ts", "./test/failures.ts"],
  },
});
