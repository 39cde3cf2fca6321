import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "#test/cost.ts";
import { professionalFields } from "./account-fields.ts";
import { NewConsultationInput } from "./consultations.ts";
import { ContactInput } from "./contact.ts";
import { ProfileInput, website } from "./own-profile.ts";
import { ConfirmInput, SignUpInput } from "./registration.ts";
import { id, nameLine, personName, singleLine, text } from "./text.ts";

const LINE = { min: 1, max: 140 };

test("id returns every spelling of an id in lower case", () => {
  expect(id.parse("10000000-0000-4000-8000-00000000000A")).toBe("10000000-0000-4000-8000-00000000000a");
});

test("text keeps one blank line between paragraphs, also of lines with only spaces", () => {
  expect(text({ min: 1, max: 99 }).parse(" \r\nuno\r\n \n\t\n\n  dos\n\ntres. \n")).toBe("uno\n\n  dos\n\ntres.");
});

describe("singleLine", () => {
  test.each([
    ["two  spaces\n and a break", "two spaces and a break"],
    ["\ufeffa mark of byte order", "a mark of byte order"],
    ["👨‍👩‍👧 ❤️ 👍🏽 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇦🇷", "👨‍👩‍👧 ❤️ 👍🏽 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇦🇷"],
    ["می‌خواهم", "می‌خواهم"],
  ])("accepts %j", (typed, kept) => expect(singleLine(LINE).parse(typed)).toBe(kept));

  const INVISIBLE = "\u202e\u200e\u061c\u00ad\u200b\u200d\u200c\ufe0f\u{e0041}\u2060\u3164\u0085";
  test.each([...Array.from(INVISIBLE, (sign) => `a${sign}b`), "👍\u200d", "\u{1f3f4}\u{e0067}"])(
    "refuses %j",
    (typed) =>
      expect(singleLine(LINE).safeParse(typed).error?.issues).toMatchObject([
        { message: expect.stringMatching(/invisibles/) },
      ]),
  );
});

test.each([
  ["+598 94 231 234", true],
  ["099 123", true],
  ["(099) 12", false],
  ["+598 94 O31 234", false],
])("the phone number accepts %s: %s", (typed, accepted) =>
  expect(professionalFields.phone.safeParse(typed).success).toBe(accepted),
);

test("text counts an emoji as one character", () => {
  const emojis = "👍".repeat(140);
  for (const schema of [text({ min: 140, max: 140 }), singleLine(LINE)]) {
    expect(schema.parse(emojis)).toBe(emojis);
    expect(schema.safeParse(`${emojis}a`).success).toBe(false);
  }
  expect(text({ min: 2, max: 10 }).safeParse("👍").success).toBe(false);
});

test("nameLine counts the characters of the composed form, which is stored", () => {
  const name = nameLine({ min: 2, max: 80 });
  expect(name.parse("Rene\u0301")).toBe("René");
  expect(name.safeParse("e\u0301").error?.issues).toMatchObject([{ message: "Escribe al menos 2 caracteres." }]);
  // The composed form of this letter has two characters.
  expect(name.safeParse("\u0958".repeat(41)).error?.issues).toMatchObject([{ message: expect.stringContaining("82") }]);
});

describe("schemas for any text", () => {
  const unit = fc.constantFrom(..."\u200d\ufe0f🏴\u{e0067}\u{e007f}葛\u{e0100}ا\u200ca. 👩");
  const typed = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit, maxLength: 200 }),
    fc.tuple(unit, fc.integer({ min: 1, max: 20_000 })).map(([one, times]) => one.repeat(times)),
  );

  test.each([
    ["a line", singleLine(LINE)],
    ["a name", personName({ min: 2, max: 80 })],
    ["a name from before", nameLine({ min: 2, max: 80 })],
    ["a text", text({ min: 0, max: 5000 })],
    ["a website", website],
  ])("%s: parses within 250 ms, with a result that parses to itself", (_what, schema) => {
    fc.assert(
      fc.property(typed, (value) => {
        const read = schema.safeParse(value);
        expect(costOf(() => schema.safeParse(value), 250)).toBeLessThan(250);
        if (read.success) expect(schema.parse(read.data)).toBe(read.data);
        else expect(read.error.issues.every(({ message }) => message.length > 5)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("return a result for any text in any field of a form", () => {
    for (const schema of [SignUpInput, ConfirmInput, ProfileInput, NewConsultationInput, ContactInput])
      fc.assert(
        fc.property(fc.constantFrom(...Object.keys(schema.shape)), typed, (field, value) => {
          expect(schema.safeParse({ [field]: value }).success).toBeTypeOf("boolean");
        }),
        { numRuns: 300 },
      );
  });
});
