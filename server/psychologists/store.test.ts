import { expect, test } from "vitest";
import { viewerHash } from "./store.ts";

const VISITOR = { secret: "a secret", id: "a", address: "203.0.113.7", userAgent: "A browser/1.0", day: "2026-03-02" };
const mark = (more: Partial<typeof VISITOR> = {}) => {
  const { secret, id, day, ...visitor } = { ...VISITOR, ...more };
  return viewerHash(secret, id, visitor, day).toString("hex");
};

test.each([
  ["the next day", { day: "2026-03-03" }],
  ["on another profile", { id: "b" }],
  ["from another address", { address: "203.0.113.8" }],
  ["with another browser", { userAgent: "A browser/2.0" }],
  ["under another secret", { secret: "another secret" }],
])("viewerHash returns another mark %s", (_when, more) => {
  expect(mark(more)).not.toBe(mark());
});

test("viewerHash returns the same mark for another IP in the same IPv6 network", () => {
  expect(mark({ address: "2001:db8:1:2:aaaa::1" })).toBe(mark({ address: "2001:db8:1:2:bbbb::2" }));
});
