import { expect, test } from "vitest";
import { mailHref } from "./parts.tsx";

test("encodes all characters of an email that end the path of a URL", () => {
  expect(mailHref("ana?cc&x#1%+b@correo.com")).toBe("mailto:ana%3Fcc%26x%231%25%2Bb@correo.com");
});
