import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProfileInput, website } from "#shared/accounts.ts";
import { changesVerifiedData, profileProblems, whyCannotSaveProfile } from "./rules.ts";

describe("a website", () => {
  test.each([
    ["https://rivarola.example.org", "https://rivarola.example.org/"],
    ["rivarola.example.org", "https://rivarola.example.org/"],
    ["http://a.example/una/ruta?x=1#y", "http://a.example/una/ruta?x=1#y"],
    ["HTTPS://Rivarola.Example", "https://rivarola.example/"],
    ["https://psicóloga.example/", "https://xn--psicloga-y3a.example/"],
    ["https://a.example:8443/x", "https://a.example:8443/x"],
  ])("%s is one", (typed, kept) => expect(website.parse(typed)).toBe(kept));

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "javascript://a.example/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "ftp://a.example",
    "blob:https://a.example/x",
    "mailto:ana@a.example",
    "tel:+5411",
    "//a.example",
    "/perfil",
    "\\\\a.example",
    "https:\\\\a.example",
    "https://user@a.example",
    "https://user:pass@a.example",
    "https://divan.example@evil.example",
    "https://evil.example\\@divan.example",
    "user@a.example",
    "https://",
    "https:///a.example",
    "https://localhost",
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://[::1]/",
    "http://10.0.0.1/",
    "https://a",
    "https://a..example",
    "https://.example",
    'https://a.example"onmouseover=alert(1)',
    "https://a.example/<script>",
    "https://a.example/ b",
    "a.example:80:80",
    "https://a.example:99999",
    "",
    "   ",
    "https://a.example/\u202egro.live",
    `https://a.example/${"a".repeat(200)}`,
  ])("%j is none", (typed) => expect(website.safeParse(typed).success).toBe(false));

  test("is http or https without a user in it, whatever is typed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.string({ unit: "grapheme" })), (typed) => {
        const kept = website.safeParse(typed);
        if (!kept.success) return;
        const parsed = new URL(kept.data);
        expect(["http:", "https:"]).toContain(parsed.protocol);
        expect([parsed.username, parsed.password]).toEqual(["", ""]);
        expect(website.parse(kept.data)).toBe(kept.data);
      }),
    );
  });
});

describe("what a profile may hold", () => {
  test("a user's is a name and nothing of a psychologist's", () => {
    expect(profileProblems("user", { full_name: "Ana" })).toBeNull();
    expect(profileProblems("user", { full_name: "Ana", bio: "Hola", license_number: "MP 1" })).toEqual({
      bio: "Este dato no se espera aquí.",
      license_number: "Este dato no se espera aquí.",
    });
  });

  test("a psychologist's needs the licence", () => {
    expect(profileProblems("psychologist", { full_name: "Ana", license_number: "MP 1" })).toBeNull();
    expect(Object.keys(profileProblems("psychologist", { full_name: "Ana" }) ?? {})).toEqual(["license_number"]);
  });

  test("fields left empty are not given", () => {
    expect(ProfileInput.parse({ full_name: "Ana", website: "", phone: " ", specialty: "" })).toEqual({
      full_name: "Ana",
    });
  });

  test("only a psychologist's waits for a photo", () => {
    expect(whyCannotSaveProfile("psychologist", null)).toBe("photo_required");
    expect(whyCannotSaveProfile("psychologist", "/avatars/a.webp")).toBeNull();
    expect(whyCannotSaveProfile("user", null)).toBeNull();
  });
});

describe("verification is asked again", () => {
  const before = { full_name: "Lic. Paula Rivarola", license_number: "MP 3127", country: "Argentina" };

  test.each([
    ["another number", { license_number: "MP 3128" }],
    ["another register", { license_number: "MN 3127" }],
    ["another country", { country: "Chile" }],
    ["no country", { country: null }],
    ["another name", { full_name: "Lic. Paula Riva" }],
    ["a name in front", { full_name: "Dra. Ana Paula Rivarola" }],
    ["another title", { full_name: "Dra. Paula Rivarola" }],
    ["one title more", { full_name: "Dra. Lic. Paula Rivarola" }],
    ["no title", { full_name: "Paula Rivarola" }],
    ["a sign behind", { full_name: "Lic. Paula Rivarola ★" }],
    ["a number behind", { full_name: "Lic. Paula Rivarola 2" }],
    ["a point less", { full_name: "Lic Paula Rivarola" }],
    ["a hyphen", { full_name: "Lic. Paula-Rivarola" }],
    ["a letter that looks the same", { full_name: "Lic. Pаula Rivarola" }],
    ["marks on every letter", { full_name: "Lic. P\u0336aula Rivarola" }],
    ["an emoji", { full_name: "Lic. Paula Rivarola 🏅" }],
  ])("for %s", (_what, change) => expect(changesVerifiedData(before, { ...before, ...change })).toBe(true));

  test.each([
    ["nothing", {}],
    ["an accent typed apart", { full_name: "Lic. Pa\u0301ula Rivarola" }],
    ["capitals, accents and spaces", { full_name: "LIC. PÁULA  RIVAROLA", license_number: "mp-3127" }],
  ])("not for %s", (_what, change) => expect(changesVerifiedData(before, { ...before, ...change })).toBe(false));

  test("alike in both directions", () => {
    const person = fc.record({
      full_name: fc.constantFrom("Ana Ruiz", "Lic. Ana Ruiz", "Ana Díaz"),
      license_number: fc.constantFrom("MP 1", "mp1", "2"),
      country: fc.constantFrom("Chile", null),
    });
    fc.assert(
      fc.property(person, person, (a, b) => {
        expect(changesVerifiedData(a, b)).toBe(changesVerifiedData(b, a));
      }),
    );
  });
});
