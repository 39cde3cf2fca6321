import { expect, test } from "vitest";
import { viewerHash } from "./viewer-hash.ts";

const SECRET = "a secret that only this test knows";
const ID = "10000000-0000-4000-8000-00000000000a";
const VISITOR = { address: "203.0.113.7", userAgent: "A browser/1.0" };
const MORNING = new Date("2026-03-02T00:00:00.000Z");
const mark = (more: { secret?: string; id?: string; address?: string; userAgent?: string; now?: Date } = {}) =>
  viewerHash(more.secret ?? SECRET, more.id ?? ID, { ...VISITOR, ...more }, more.now ?? MORNING).toString("hex");

test("viewerHash returns the same mark all day", () => {
  expect(mark({ now: new Date("2026-03-02T23:59:59.999Z") })).toBe(mark());
});

test.each([
  ["the next day", { now: new Date("2026-03-03T00:00:00.000Z") }],
  ["on another profile", { id: "10000000-0000-4000-8000-00000000000b" }],
  ["from another address", { address: "203.0.113.8" }],
  ["with another browser", { userAgent: "A browser/2.0" }],
  ["under another secret", { secret: "another secret, as long as the first" }],
])("viewerHash returns another mark %s", (_when, more) => {
  expect(mark(more)).not.toBe(mark());
});

test("viewerHash returns the same mark for another IP in the same IPv6 network", () => {
  expect(mark({ address: "2001:db8:1:2:aaaa::1" })).toBe(mark({ address: "2001:db8:1:2:bbbb::2" }));
});
