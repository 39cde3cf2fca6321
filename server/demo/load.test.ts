import { expect, test } from "vitest";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { loadDemo } from "./load.ts";

const app = setUpTestApp();

test("prints one account per role with the password", async () => {
  expect(await loadDemo(app.context)).toHaveLength(6);
});

test("stores the counters that follow from the rows of the demo", async () => {
  await loadDemo(app.context);
  await expectCountersMatchRows(app);
});
