import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCursor, writeCursor } from "./cursor.ts";

const SECRET = "a secret of at least 32 characters";
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const AT = "2026-03-02T15:04:05.678Z";
const GOOD = writeCursor(SECRET, { key: null, at: AT, id: ID });

function expectRefused(text: string, sorted = false, secret = SECRET) {
  const fields = { cursor: "Esta página ya no existe. Vuelve al principio de la lista." };
  const refusal = expect.objectContaining({ body: { code: "invalid_input", fields } });
  expect(() => readCursor(secret, text, sorted)).toThrow(refusal);
}

const moments = fc
  .date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const int32 = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });

test("reads the cursors that it wrote, in at most 300 characters that need no escaping in a URL", () => {
  fc.assert(
    fc.property(moments, fc.uuid(), fc.option(int32), (at, id, key) => {
      const text = writeCursor(SECRET, { key, at, id });
      expect(readCursor(SECRET, text, key !== null)).toEqual({ key, at, id });
      expect(encodeURIComponent(text)).toBe(text);
      expect(text.length).toBeLessThanOrEqual(300);
    }),
  );
});

test("hides the time and the id of the item", () => {
  for (const form of [GOOD, Buffer.from(GOOD, "base64url").toString("latin1")]) {
    expect(form).not.toContain(ID);
    expect(form).not.toContain("15:04:05");
  }
});

test("writes equal texts for equal cursors", () => {
  expect(writeCursor(SECRET, { key: null, at: AT, id: ID })).toBe(GOOD);
});

test("reads a missing or empty cursor as the beginning", () => {
  expect(readCursor(SECRET, undefined, true)).toBeNull();
  expect(readCursor(SECRET, "", false)).toBeNull();
});

describe("readCursor", () => {
  test.each([
    ["a cursor that is not encrypted", Buffer.from(JSON.stringify([null, AT, ID])).toString("base64url")],
    ["fewer bytes than a nonce and a tag", GOOD.slice(0, 20)],
    ["a cursor without its end", GOOD.slice(0, -4)],
  ])("refuses %s", (_what, text) => {
    expectRefused(text);
    expectRefused(text, true);
  });

  test("refuses a cursor written with another secret", () => expectRefused(GOOD, false, `${SECRET} 2`));
  test("refuses a cursor without a number for a list with one", () => expectRefused(GOOD, true));
  test("refuses a cursor with a number for a list without one", () =>
    expectRefused(writeCursor(SECRET, { key: 1, at: AT, id: ID })));

  test("refuses any other text", () => {
    const any = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.base64String()).filter(Boolean);
    fc.assert(fc.property(any, fc.boolean(), (text, sorted) => expectRefused(text, sorted)));
  });
});
