import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailAddress } from "./account-fields.ts";
import { normalizeEmail } from "./normalize-email.ts";

const read = (typed: string) => normalizeEmail(typed).address;

describe("normalizeEmail for valid emails", () => {
  const ANA =
    "ANA@Example.COM|ana@exam\u00adple.com|ana@example.com\ufeff|a\u00adn\u00ada@example.com|\u202aana@example.com\u202c";
  const SPELLINGS = `${ANA}|  ana@example.com\u00a0|ana@ｅｘａｍｐｌｅ．ｃｏｍ|ａｎａ＠example.com|ana@example。com|ana@example.com.`;
  test.each<[string, string]>([
    ...SPELLINGS.split("|").map((typed): [string, string] => [typed, "ana@example.com"]),
    ["ana@exämple.com", "ana@xn--exmple-cua.com"],
    ["ana@exa\u0308mple.com", "ana@xn--exmple-cua.com"],
    ["ana@XN--EXMPLE-CUA.com", "ana@xn--exmple-cua.com"],
    ["\u212aaren@example.com", "karen@example.com"],
    ["ana@straße.de", "ana@xn--strae-oqa.de"],
    ["jose\u0301@example.com", "jos\u00e9@example.com"],
    ["MUÑOZ@example.com", "muñoz@example.com"],
    ["ana@пример.рф", "ana@xn--e1afmkfd.xn--p1ai"],
    ["o'brien-sol_1@sub.example.co.uk", "o'brien-sol_1@sub.example.co.uk"],
  ])("normalises %j", (typed, address) => expect(read(typed)).toBe(address));

  test("accepts at most 254 bytes", () => {
    const address = `@${"a1.".repeat(82)}info`.padStart(254, "a");
    expect(read(address)).toBe(address);
    expect(read(`a${address}`)).toBeNull();
    expect(read(`${"a".repeat(64)}@example.com`)).not.toBeNull();
  });

  test("distinguishes emails of different mailboxes", () => {
    const others = ["ana@example.com", "ana+divan@example.com", "a.na@example.com", "ana@mail.example.com"];
    expect(new Set(others.map(read)).size).toBe(others.length);
    expect(read("ana@strasse.de")).not.toBe(read("ana@straße.de"));
    expect(read("аna@example.com")).not.toBe(read("ana@example.com"));
  });
});

describe("normalizeEmail for invalid emails", () => {
  const INVALID: Record<string, string[]> = {
    necesario: ["", " \u200b "],
    válida: [
      ..."ana ana@ ana@b@example.com ana＠b@example.com \ud800@example.com".split(" "),
      `${"a".repeat(3000)}@b.com`,
    ],
    espacios: ["an a@example.com", '"ana b"@example.com'],
    puntos: [".ana@example.com", "an..a@example.com"],
    invisibles: ["an\u202ea@example.com", "ana@exam\u200dple.com"],
    "antes de la @": '"ana"@a.com ana,b@a.com Ana<ana@a.com an\u0000a@a.com 💌@a.com'.split(" "),
    64: [`${"a".repeat(65)}@example.com`],
    254: [`a@${"a1.".repeat(84)}com`],
    "después de la @": [
      ..."ana@example ana@example..com ana@-example.com ana@exam_ple.com ana@example.c0m ana@127.0.0.1".split(" "),
      ..."ana@[127.0.0.1] ana@exam%6dple.com ana@a.com/path ana@a.com:25 ana@℀.com ana@a.com>".split(" "),
      `ana@${"a".repeat(64)}.com`,
    ],
  };
  const rows = Object.entries(INVALID).flatMap(([words, all]) => all.map((typed) => [typed, words] as const));
  test.each(rows)("refuses %j with the message about: %s", (typed, words) => {
    const { address, problem } = normalizeEmail(typed);
    expect(address).toBeNull();
    expect(problem).toContain(words);
    expect(emailAddress.safeParse(typed).error!.issues).toMatchObject([{ message: problem }]);
  });
});

describe("normalizeEmail for any text", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(..."ana Ä ß İ ſ Σ ς xn-- example . 。 @ \u00ad \u200d - ١".split(" ")),
  );
  const typed = fc.oneof(
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
    fc.tuple(part, part, fc.constantFrom("com", "рф", "ＣＯＭ", "co.uk")).map(([a, b, tld]) => `${a}@${b}.${tld}`),
  );

  test("returns a short email with an ASCII domain that it maps to itself", () => {
    fc.assert(
      fc.property(typed, (value) => {
        const address = read(value);
        if (address === null) return;
        expect(read(address)).toBe(address);
        expect(address).toMatch(/^[^@\s]+@[a-z\d-]+(\.[a-z\d-]+)+$/);
        expect(Buffer.byteLength(address)).toBeLessThanOrEqual(254);
        expect(Buffer.byteLength(address.split("@")[0]!)).toBeLessThanOrEqual(64);
      }),
      { numRuns: 5_000 },
    );
  });
});
