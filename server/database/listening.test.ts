import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { startForwarder } from "#test/forwarder.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { listenTo } from "./listening.ts";

const app = setUpTestApp();

test("settled() waits for notifications of earlier commits on a slow network", async () => {
  const forwarder = await startForwarder(app.databaseUrl);
  // After a silence, the forwarder forwards nothing of its first connection.
  const first = connect(Number(new URL(forwarder.url).port), "127.0.0.1");
  await new Promise((open) => first.once("connect", open));
  const heard: string[] = [];
  const handlers = { onNotification: (payload: string) => heard.push(payload), onConnected() {}, onLost() {} };
  const listening = await listenTo(forwarder.url, "divan-test", "test_of_settled", handlers, 60_000);
  const writer = new pg.Client(app.databaseUrl);
  await writer.connect();
  try {
    forwarder.fallSilent();
    await writer.query("notify test_of_settled, 'a change'");
    const settled = listening.settled().then(() => [...heard]);
    await pause(100);
    expect(heard).toEqual([]);
    forwarder.speak();
    expect(await settled).toEqual(["a change"]);
  } finally {
    await writer.end();
    await listening.close();
    first.destroy();
    await forwarder.close();
  }
});
