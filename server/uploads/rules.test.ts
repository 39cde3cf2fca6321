import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { conversionError, photoKey, photoUrl } from "./rules.ts";

test.each([
  ['timeout: 28% complete\nVipsImage: killed for image "temp-62"', "upload_failed"],
  ["vips_tracked: out of memory -- size == 160MB", "upload_failed"],
  ["Input image exceeds pixel limit", "image_dimensions_too_large"],
  ["vipspng: libpng read error", "unsupported_file_type"],
])("conversionError returns for %j the code %s", (message, code) => expect(conversionError(message)).toBe(code));

describe("photoKey", () => {
  test("returns the key of photoUrl", () => {
    const [id, name] = [randomUUID(), randomUUID()];
    expect(photoKey(photoUrl(id, name))).toBe(`avatars/${id}-${name}.webp`);
  });

  test.each([
    null,
    "",
    "/avatars/",
    "/retrato-1.svg",
    "avatars/0f8fad5b-d9cb-469f-a165-70867728950e-5d0c7a3e-6f1b-4b0e-9d52-3a8f0f6c2e11.webp",
    "/avatars/../secret",
    "/avatars/0f8fad5b-d9cb-469f-a165-70867728950e-5d0c7a3e-6f1b-4b0e-9d52-3a8f0f6c2e11.webp/..",
    "/avatars/0f8fad5b-d9cb-469f-a165-70867728950e-5d0c7a3e-6f1b-4b0e-9d52-3a8f0f6c2e11.svg",
    "/avatars/x/0f8fad5b-d9cb-469f-a165-70867728950e-5d0c7a3e-6f1b-4b0e-9d52-3a8f0f6c2e11.webp",
    "https://evil.example/avatars/0f8fad5b-d9cb-469f-a165-70867728950e-5d0c7a3e-6f1b-4b0e-9d52-3a8f0f6c2e11.webp",
  ])("returns null for %j", (address) => expect(photoKey(address)).toBeNull());
});
