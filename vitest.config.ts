import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WAIT_TIMEOUT_MS } from "./test/eventually.ts";
import { FULL_RUN } from "./test/full-run.ts";

/** Needs a separate process: React warns about elements only in development mode. */
const APART = "test/headers.test.ts";

/** Tests that measure times and the memory of whole processes, so that no other test runs at the same time. */
const ALONE = "test/{memory,page-memory,workers}.test.ts";

/**
 * Tests that only the full run includes: long load, faults of connections and processes, many calls to providers, and
 * details of caches and images.
 */
const LONG = FULL_RUN
  ? []
  : [
      ALONE,
      "test/{replica,query-plans,pooler,restart,shell}.test.ts",
      "server/{listen,database/connection-check,http/page-keys,http/images,mail/pace}.test.ts",
      "server/memberships/reading/pace.test.ts",
      "server/own-data/export-stream.test.ts",
      "scripts/check.test.ts",
    ];

// Workers and servers of tests load compiled code. The full run compiles, because it measures the time of a start.
if (!FULL_RUN) process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "compiled");

/** Starts the longest file first, so that no core waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith("/convergence.test.ts"));
    return (await super.sort(files)).toSorted((one, other) => isLongest(other) - isLongest(one));
  }
}

export default defineConfig({
  // Creates elements with the same function as in production.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    globalSetup: "./test/global-setup.ts",
    setupFiles: "./test/setup.ts",
    pool: "forks",
    // Node loads the build itself. Vite would transform its 4 MB and double their run time.
    server: { deps: { external: [/\/build\/server\//] } },
    // Tests often wait for the database, so one more worker than a small machine has cores.
    maxWorkers: 3,
    // Limits for hanging tests. They are high, because the machine may be busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
    slowTestThreshold: 2_000,
    // The full run shuffles.
    sequence: FULL_RUN ? {} : { sequencer: LongestFirst },
    reporters: ["default", "./test/slowest.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["{app,server,shared,test,scripts}/**/*.test.{ts,tsx}"],
          exclude: [APART, ALONE, ...LONG],
          // A process for each file takes longer than most files: starting one costs 0.7 s.
          isolate: FULL_RUN,
        },
      },
      { extends: true, test: { name: "apart", include: [APART] } },
      {
        extends: true,
        test: { name: "alone", include: [ALONE], exclude: LONG, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
