import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#shared/errors.ts";
import { fairQueue, RoundRobin, type Sender } from "./fair-queue.ts";

const heavy: Sender = ["address 198.51.100.1", "a program"];
const light: Sender = ["address 203.0.113.9", "a browser"];
const neighbour: Sender = ["address 198.51.100.1", "a browser"];
const signedIn: Sender = ["account 1"];

const openQueue = (more: Partial<Parameters<typeof fairQueue>[0]> = {}) =>
  fairQueue({ concurrency: 1, queueLimit: 100, urgentIntervalMs: 60_000, retryAfterSeconds: 5, ...more });

/** Work that waits until the gate opens for it, and the order in which it began. */
function gate() {
  const began: string[] = [];
  const open: (() => void)[] = [];
  return {
    began,
    work: (name: string) => () => {
      began.push(name);
      return new Promise<string>((done) => open.push(() => done(name)));
    },
    /** Ends work step by step until no more work begins. */
    async through(): Promise<string[]> {
      for (let idle = 0; idle < 5; idle++) {
        for (const go of open.splice(0)) {
          go();
          idle = 0;
        }
        await new Promise((go) => setImmediate(go));
      }
      return began;
    },
  };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => at);

test("delays one request by at most 2 pages of a sender of 50", async () => {
  const { run } = openQueue();
  const { work, through } = gate();
  const all = [
    ...many(50).map((at) => run(heavy, null, work(`heavy ${at}`))),
    run(light, null, work("light")),
    run(signedIn, null, work("signed in")),
    run(neighbour, null, work("neighbour")),
  ];
  const order = await through();
  await Promise.all(all);
  expect(order).toHaveLength(53);
  expect(order.indexOf("light")).toBeLessThanOrEqual(2);
  expect(order.indexOf("signed in")).toBeLessThanOrEqual(3);
  // Senders behind one IP share its turns.
  expect(order.indexOf("neighbour")).toBeLessThanOrEqual(5);
});

test("runs senders in turn, each in the order of its requests", async () => {
  const { run } = openQueue();
  const { work, through } = gate();
  for (const at of many(3)) void run(["a"], null, work(`a${at}`));
  for (const at of many(3)) void run(["b"], null, work(`b${at}`));
  for (const at of many(2)) void run(["c", "x"], null, work(`cx${at}`));
  for (const at of many(2)) void run(["c", "y"], null, work(`cy${at}`));
  expect(await through()).toEqual(["a0", "a1", "b0", "cx0", "a2", "b1", "cy0", "b2", "cx1", "cy1"]);
});

test("runs at most 3 at once while the thread is busy, until all have run", async () => {
  const { run } = openQueue({ concurrency: 3 });
  let running = 0;
  let most = 0;
  const spin = async () => {
    most = Math.max(most, ++running);
    const end = performance.now() + 2;
    while (performance.now() < end);
    await new Promise((go) => setImmediate(go));
    running--;
  };
  await Promise.all(many(60).map((at) => run([`${at % 7}`], null, spin)));
  expect(most).toBe(3);
});

test("starts more work while running work waits for something else than the thread", async () => {
  const { run } = openQueue();
  const { work, began } = gate();
  void run(heavy, null, work("waits for a payment provider"));
  expect(await run(light, null, async () => "light")).toBe("light");
  expect(began).toEqual(["waits for a payment provider"]);
});

test("gives the event loop time for incoming data between pages that never await", async () => {
  const { run, runUrgent } = openQueue();
  for (const enqueue of [run, runUrgent]) {
    let turnsOfTheThread = 0;
    let going = true;
    const look = () => {
      turnsOfTheThread++;
      if (going) setImmediate(look);
    };
    look();
    await Promise.all(many(20).map(() => enqueue(heavy, null, async () => {})));
    going = false;
    expect(turnsOfTheThread).toBeGreaterThanOrEqual(19);
  }
});

test("frees the slot of failed work and rejects its promise", async () => {
  const { run } = openQueue();
  for (let times = 0; times < 3; times++)
    await expect(run(light, null, () => Promise.reject(new Error("a fault")))).rejects.toThrow("a fault");
  expect(await run(light, null, async () => "next")).toBe("next");
});

test("removes the work of a client that disconnects", async () => {
  const { run } = openQueue();
  const { work, through } = gate();
  void run(heavy, null, work("first"));
  const hangsUp = new AbortController();
  const gone = run(heavy, hangsUp.signal, work("gone"));
  const already = run(heavy, AbortSignal.abort(), work("already gone"));
  void run(heavy, null, work("last"));
  hangsUp.abort();
  for (const left of [gone, already]) await expect(left).rejects.toBeInstanceOf(AppError);
  expect(await through()).toEqual(["first", "last"]);
});

test("refuses beyond the limit only the newest requests of the sender with the most", async () => {
  const { run } = openQueue({ queueLimit: 10 });
  const { work, through } = gate();
  const results = Promise.allSettled([
    ...many(30).map((at) => run(heavy, null, work(`heavy ${at}`))),
    ...many(4).map((at) => run(light, null, work(`light ${at}`))),
    run(signedIn, null, work("signed in")),
  ]);
  await through();
  const refused = (await results).flatMap((result, at) => (result.status === "rejected" ? [{ at, ...result }] : []));
  expect(refused).toHaveLength(24);
  for (const { at, reason } of refused) {
    expect(at).toBeLessThan(30);
    expect(reason).toMatchObject({ body: { code: "server_busy", details: { retry_after_seconds: 5 } } });
  }
});

describe("urgent work", () => {
  test("runs before queued work", async () => {
    const { run, runUrgent } = openQueue();
    const { work, through, began } = gate();
    for (const at of many(20)) void run(heavy, null, work(`page ${at}`));
    const help = runUrgent(light, null, async () => [...began]);
    expect(await help).toEqual(["page 0"]);
    await through();
  });

  test("runs in turn if one sender sends several within the interval", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { run, runUrgent } = openQueue();
    const { work, through } = gate();
    for (const at of many(10)) void runUrgent(heavy, null, work(`help ${at}`));
    void run(light, null, work("page"));
    expect((await through()).indexOf("page")).toBeLessThanOrEqual(3);
    for (const at of many(10)) void run(light, null, work(`page ${at}`));
    vi.advanceTimersByTime(60_000);
    void runUrgent(heavy, null, work("later help"));
    const order = await through();
    expect(order).toHaveLength(22);
    expect(order.slice(11).indexOf("later help")).toBeLessThanOrEqual(1);
  });
});

test("deletes finished senders", () => {
  const turns = new RoundRobin();
  const waiting = many(50).map((at) => ({ sender: [`${at % 5}`, `${at % 10}`] as const, start() {}, reject() {} }));
  for (const one of waiting) turns.add(one);
  for (const one of waiting.slice(0, 25)) expect(turns.remove(one)).toBe(true);
  for (const one of waiting.slice(0, 25)) expect(turns.remove(one)).toBe(false);
  expect(turns.size).toBe(25);
  for (let left = 25; left > 0; left--) expect(turns.next()).toBeDefined();
  expect(turns.next()).toBeUndefined();
  expect(turns.size).toBe(0);
});
