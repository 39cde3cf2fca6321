import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startForwarder } from "#test/forwarder.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { listenTo } from "./listening.ts";

const app = setUpTestApp();

/** Listens on the channel "probe" until the test ends, and records the handlers' calls. */
async function listen(url: string, heartbeatMs = 1_000) {
  const heard: string[] = [];
  const counted = { connected: 0, lost: 0 };
  const handlers = {
    onNotification: (payload: string) => heard.push(payload),
    onConnected: () => counted.connected++,
    onLost: () => counted.lost++,
  };
  const listening = await listenTo(url, "divan-test", "probe", handlers, heartbeatMs);
  onTestFinished(listening.close);
  return { heard, counted, ...listening };
}

test("settled() waits for notifications of earlier commits on a slow network", async () => {
  const forwarder = await startForwarder(app.databaseUrl);
  onTestFinished(forwarder.close);
  // After a silence, the forwarder forwards nothing of its first connection.
  const first = connect(Number(new URL(forwarder.url).port), "127.0.0.1");
  await new Promise((open) => first.once("connect", open));
  onTestFinished(() => void first.destroy());
  const listening = await listen(forwarder.url, 60_000);
  forwarder.fallSilent();
  await app.sql("notify probe, 'a change'");
  const settled = listening.settled().then(() => [...listening.heard]);
  await pause(100);
  expect(listening.heard).toEqual([]);
  forwarder.speak();
  expect(await settled).toEqual(["a change"]);
});

test.runIf(FULL_RUN)("reconnects within 5 s after a silence", async () => {
  const forwarder = await startForwarder(app.databaseUrl);
  onTestFinished(forwarder.close);
  const { heard } = await listen(forwarder.url);
  forwarder.fallSilent();
  await pause(6_000);
  forwarder.speak();
  const hears = async () => {
    await app.sql("notify probe, 'again'");
    return heard.length;
  };
  await expect.poll(hears, { timeout: 5_000 }).toBeGreaterThan(0);
});

test("reconnects after a loss, and leaves no connection when it is closed", async () => {
  const { heard, counted, close } = await listen(app.databaseUrl);
  expect(counted).toEqual({ connected: 1, lost: 0 });
  for (let round = 2; round <= 3; round++) {
    await app.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'divan-test'",
    );
    await expect.poll(() => counted).toEqual({ connected: round, lost: round - 1 });
    await app.sql("select pg_notify('probe', $1)", [`round ${round}`]);
    await expect.poll(() => heard.at(-1)).toBe(`round ${round}`);
  }
  await close();
  expect(
    await app.sql(
      "select from pg_stat_activity where datname = current_database() and application_name = 'divan-test'",
    ),
  ).toEqual([]);
});
