import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "#shared/errors.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const AT = "2026-03-02T15:04:05.678Z";

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What reading does with a text: a cursor, null, or the error. */
function read(text: string | undefined, sorted: boolean): Cursor | null | AppError {
  try {
    return readCursor(text, sorted);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function expectRefused(text: string, sorted: boolean) {
  const error = read(text, sorted);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: "invalid_input",
    fields: { cursor: "Esta página ya no existe. Vuelve al principio de la lista." },
  });
}

const moments = fc
  .date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const ids = fc.uuid();
const int32 = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });

test("what is written is read back, by date and by number", () => {
  fc.assert(
    fc.property(moments, ids, int32, (at, id, key) => {
      expect(readCursor(writeCursor({ key: null, at, id }), false)).toEqual({ key: null, at, id });
      expect(readCursor(writeCursor({ key, at, id }), true)).toEqual({ key, at, id });
    }),
  );
});

test("a cursor fits an address without escaping", () => {
  fc.assert(
    fc.property(moments, ids, int32, (at, id, key) => {
      const text = writeCursor({ key, at, id });
      expect(encodeURIComponent(text)).toBe(text);
      expect(text.length).toBeLessThanOrEqual(300);
    }),
  );
});

test("no cursor means the beginning", () => {
  expect(readCursor(undefined, true)).toBeNull();
  expect(readCursor("", false)).toBeNull();
});

describe("a cursor that this server did not write is refused", () => {
  test.each([
    ["no base64", "¡hola!"],
    ["no JSON", Buffer.from("[1,").toString("base64url")],
    ["null", encode(null)],
    ["a number", encode(7)],
    ["a text", encode("abc")],
    ["an object", encode({ key: null, at: AT, id: ID })],
    ["an empty list", encode([])],
    ["a list within a list", encode([[null, AT, ID]])],
    ["bytes that are no UTF-8", Buffer.from([0x5b, 0xff, 0xfe, 0x5d]).toString("base64url")],
    ["thousands of brackets", Buffer.from("[".repeat(200)).toString("base64url")],
  ])("%s", (_what, text) => {
    expectRefused(text, false);
    expectRefused(text, true);
  });

  test.each([
    ["a key where there is none", [1, AT, ID], false],
    ["no key where there is one", [null, AT, ID], true],
    ["a fraction", [1.5, AT, ID], true],
    ["a number as text", ["1", AT, ID], true],
    ["a list as number", [[1], AT, ID], true],
    ["a number beyond the column", [2 ** 31, AT, ID], true],
    ["a number below the column", [-(2 ** 31), AT, ID], true],
    ["a number beyond exactness", [2 ** 60, AT, ID], true],
    ["no date", [null, null, ID], false],
    ["a date that is a number", [null, 1772463845678, ID], false],
    ["a date without time", [null, "2026-03-02", ID], false],
    ["a date in words", [null, "now", ID], false],
    ["infinity", [null, "infinity", ID], false],
    ["a date with another zone", [null, "2026-03-02T15:04:05.678+01:00", ID], false],
    ["a date with a line break after it", [null, `${AT}\n`, ID], false],
    ["a month that does not exist", [null, "2026-13-02T15:04:05.678Z", ID], false],
    ["a day that does not exist", [null, "2026-02-30T15:04:05.678Z", ID], false],
    ["an hour that does not exist", [null, "2026-02-20T25:04:05.678Z", ID], false],
    ["the year 0, which the database does not know", [null, "0000-01-01T00:00:00.000Z", ID], false],
    ["no id", [null, AT, null], false],
    ["an id that is none", [null, AT, "1"], false],
    ["an id with SQL behind it", [null, AT, `${ID}' or true --`], false],
    ["an id with a line break behind it", [null, AT, `${ID}\n`], false],
    ["an id in a list", [null, AT, [ID]], false],
  ])("%s", (_what, value, sorted) => {
    expectRefused(encode(value), sorted);
  });

  test("any other text is refused in the same words, and nothing worse happens", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString("base64url")),
      fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.jsonValue()).map(encode),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, sorted) => {
        fc.pre(text !== "");
        expectRefused(text, sorted);
      }),
    );
  });

  test("one sign changed in a good cursor gives a well-formed cursor or a refusal", () => {
    fc.assert(
      fc.property(moments, ids, int32, fc.nat(), fc.constantFrom(..."Aa0_-Zz9"), (at, id, key, place, sign) => {
        const text = writeCursor({ key, at, id });
        const where = place % text.length;
        const changed = read(text.slice(0, where) + sign + text.slice(where + 1), true);
        if (changed instanceof AppError) expect(changed.code).toBe("invalid_input");
        else {
          expect(new Date(changed!.at).toISOString()).toBe(changed!.at);
          expect(changed!.id).toMatch(/^[0-9a-f-]{36}$/);
          expect(Math.abs(changed!.key!)).toBeLessThan(2 ** 31);
        }
      }),
    );
  });
});
