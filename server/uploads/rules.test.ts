import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { conversionError, imageKind, photoKey, photoTypeError, photoUrl } from "./rules.ts";

const bytes = (...start: (number | string)[]) =>
  new Uint8Array(Buffer.concat(start.map((part) => Buffer.from(typeof part === "string" ? part : [part]))));

describe("imageKind", () => {
  test.each([
    ["jpeg", bytes(0xff, 0xd8, 0xff, 0xe0)],
    ["png", bytes(0x89, "PNG\r\n", 0x1a, "\n")],
    ["gif", bytes("GIF89a")],
    ["gif", bytes("GIF87a")],
    ["webp", bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 ")],
  ])("recognises %s by its first bytes", (kind, file) => expect(imageKind(file)).toBe(kind));

  test.each([
    ["nothing", bytes()],
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg">')],
    ["a sound in the same container", bytes("RIFF", 1, 2, 3, 4, "WAVEfmt ")],
    ["another version of GIF", bytes("GIF88a")],
    ["a text that begins like a GIF", bytes("GIF89 ")],
    ["WebP in another container", bytes("RIFX", 1, 2, 3, 4, "WEBPVP8 ")],
    ["an AVIF", bytes(0, 0, 0, 32, "ftypavif")],
    ["half a signature", bytes(0x89, "PN")],
    ["a signature in the second place", bytes(0, 0xff, 0xd8, 0xff)],
  ])("returns null for %s", (_what, file) => {
    expect(imageKind(file)).toBeNull();
    expect(photoTypeError(file)).toBe("unsupported_file_type");
  });
});

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
