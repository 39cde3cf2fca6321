import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { website } from "./own-profile.ts";

describe("website", () => {
  test.each([
    ["https://rivarola.example.org", "https://rivarola.example.org/"],
    ["rivarola.example.org", "https://rivarola.example.org/"],
    ["http://a.example/una/ruta?x=1#y", "http://a.example/una/ruta?x=1#y"],
    ["HTTPS://Rivarola.Example", "https://rivarola.example/"],
    ["https://psicóloga.example/", "https://xn--psicloga-y3a.example/"],
    ["https://a.example:8443/x", "https://a.example:8443/x"],
  ])("accepts %s", (typed, kept) => expect(website.parse(typed)).toBe(kept));

  const REFUSED = `javascript:alert(1)|javascript://a.example/%0aalert(1)|data:text/html,<script>alert(1)</script>|ftp://a.example
mailto:ana@a.example|//a.example|/perfil|https://user:pass@a.example|https://divan.example@evil.example|user@a.example|https://
http://localhost:3000|http://2130706433|http://[::1]/|http://10.0.0.1/|https://.example|https://a.example"onmouseover=alert(1)
https://a.example/<script>|https://a.example/ b|a.example:80:80|https://a.example:99999||   `;
  test.each([
    ...REFUSED.split(/[|\n]/),
    "java\tscript:alert(1)",
    "https:\\\\a.example",
    "https://evil.example\\@divan.example",
    "https://a.example/\u202egro.live",
    `https://a.example/${"a".repeat(200)}`,
  ])("refuses %j", (typed) => expect(website.safeParse(typed).success).toBe(false));

  test("returns only http or https URLs without a user for any text", () => {
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
