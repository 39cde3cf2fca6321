import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/eventually.ts";
import { FULL_RUN } from "./test/full-run.ts";

/** What needs a process of its own, since it depends on what a process does once, or on all that it holds. */
const APART = [
  // React says what is wrong with elements only if it was loaded for that.
  "test/{content-policy,headers,statements}.test.ts",
  // The memory and the modules of the whole process are what these look at.
  "test/memory.test.ts",
  // `sharp` reads in our server only what photos are made of, in these everything.
  "scripts/compare-looks.test.ts",
];

export default defineConfig({
  // Elements are made by the function that React has in production too.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    globalSetup: "./test/global-setup.ts",
    setupFiles: "./test/setup.ts",
    pool: "forks",
    // Tests wait for the database a good part of their time: one more than a small machine has cores.
    maxWorkers: 3,
    // None of these is a measurement: they end what hangs, also on a machine that is busy with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    slowTestThreshold: 2_000,
    reporters: ["default", "./test/slowest.ts", "./test/failures.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["{app,server,shared,test,scripts}/**/*.test.{ts,tsx}"],
          exclude: APART,
          // A process for each file costs more than most files (docs/decisions/0037).
          isolate: FULL_RUN,
        },
      },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
