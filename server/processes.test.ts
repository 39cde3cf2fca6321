import { execFileSync } from "node:child_process";
import { expect, inject, test } from "vitest";

/**
 * Runs code in a worker of a node.
 * @returns what the code prints, parsed as JSON
 */
function inWorker(workers: number, code: string): unknown {
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: import.meta.dirname,
    // Node detects a worker by this variable.
    env: { ...process.env, NODE_UNIQUE_ID: "1", WORKERS: String(workers), WORKER_NUMBER: "2" },
    encoding: "utf8",
  });
  return JSON.parse(printed);
}

test("a worker of 3 runs a third of the concurrent work of a single process", () => {
  const running = inWorker(
    3,
    `import { limitConcurrency } from "./concurrency.ts";
    const run = limitConcurrency({ concurrency: 7, queueLimit: 6, retryAfterSeconds: 1 });
    let running = 0, refused = 0;
    for (let n = 0; n < 20; n++) run(() => new Promise(() => { running++; })).catch(() => { refused++; });
    setImmediate(() => { console.log(JSON.stringify({ running, refused })); process.exit(); });`,
  );
  expect(running).toEqual({ running: 3, refused: 15 });
});

test.each([1, 2, 20])("pools of %i workers leave 15 connections of the database", (workers) => {
  const { sizes, max } = inWorker(
    workers,
    `import { poolSizes, withClient } from "./database/handles.ts";
    const url = ${JSON.stringify(inject("postgres").admin)};
    const { rows } = await withClient({ connectionString: url }, (client) => client.query("show max_connections"));
    console.log(JSON.stringify({ sizes: await poolSizes(url), max: Number(rows[0].max_connections) }));`,
  ) as { sizes: { private: number; public: number; jobs: number }; max: number };
  const sum = sizes.private + sizes.public + sizes.jobs;
  expect(sum).toBe(Math.min(36, 4 + 2 * Math.floor((Math.floor((max - 15) / workers) - 4) / 2)));
  expect(sum * workers).toBeLessThanOrEqual(max - 15);
});

test("only the first worker runs jobs", () => {
  expect(inWorker(2, `import { RUNS_JOBS } from "./processes.ts"; console.log(RUNS_JOBS);`)).toBe(false);
});
