import { expect, test } from "vitest";
import { limitConcurrency } from "./concurrency.ts";

function controlled(run: <Result>(work: () => Promise<Result>) => Promise<Result>) {
  const [ends, running]: [(() => void)[], Set<number>] = [[], new Set()];
  let started = 0;
  const start = () =>
    run(async () => {
      const id = started++;
      running.add(id);
      await new Promise<void>((end) => ends.push(end));
      running.delete(id);
    });
  const endOne = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { start, endOne, running };
}

test("runs at most the allowed calls at once, also after a burst, and refuses calls that cannot wait", async () => {
  const limit = limitConcurrency({ concurrency: 2, queueLimit: 3, retryAfterSeconds: 7 });
  const { start, endOne, running } = controlled(limit);
  for (let burst = 0; burst < 2; burst++) {
    const all = Array.from({ length: 5 }, start);
    expect(running.size).toBe(2);
    await expect(start()).rejects.toMatchObject({
      body: { code: "server_busy", details: { retry_after_seconds: 7 } },
    });
    for (let left = 5; left > 0; left--) {
      expect(running.size).toBe(Math.min(left, 2));
      await endOne();
    }
    await Promise.all(all);
  }
});

test("runs the next call after an error", async () => {
  const limit = limitConcurrency({ concurrency: 1, queueLimit: 1, retryAfterSeconds: 1 });
  const failed = limit(() => Promise.reject(new Error("failed")));
  const next = limit(async () => "done");
  await expect(failed).rejects.toThrow("failed");
  await expect(next).resolves.toBe("done");
});

test("limits each key alone", async () => {
  const limit = limitConcurrency({ concurrency: 1, queueLimit: 1, retryAfterSeconds: 1 });
  const first = controlled((work) => limit(work, "first"));
  const second = controlled((work) => limit(work, "second"));
  const all = [first.start(), first.start(), second.start()];
  expect([first.running.size, second.running.size]).toEqual([1, 1]);
  await expect(first.start()).rejects.toMatchObject({ body: { code: "server_busy" } });
  await second.endOne();
  await first.endOne();
  expect(first.running.size).toBe(1);
  await first.endOne();
  await Promise.all(all);
});
