import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { UUID_PATTERN } from "#shared/ids.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Answer, TestUser } from "#test/app.ts";
import { hugePng } from "#test/huge-png.ts";
import { avatarOf, code, fetchPhoto, form, photo, pixel, setUpPhotoApp, twoColorImage, upload } from "#test/photos.ts";

const { folder, app, files } = setUpPhotoApp();

/** A picture of 400 million pixels. */
const bomb = hugePng(20_000);

describe("uploaded photo", () => {
  test.each([
    ["a JPEG", () => twoColorImage(900, 600).jpeg().toBuffer()],
    ["a PNG", () => twoColorImage(600, 900).png().toBuffer()],
    ["a WebP", () => twoColorImage(40, 40).webp().toBuffer()],
  ])("becomes a square WebP from %s", async (_what, make) => {
    const person = await app.person();
    const got = await upload(app, await make(), person, "nombre.txt", "text/plain");
    expect(got.status).toBe(201);
    expect(got.body.avatar_url).toMatch(new RegExp(`^/avatars/${person.id}-${UUID_PATTERN}\\.webp$`));
    expect(await avatarOf(app, person)).toBe(got.body.avatar_url);
    const { bytes } = await fetchPhoto(app, got.body.avatar_url);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 512, height: 512 });
    expect(await pixel(bytes, 10, 256)).toEqual([1, 0, 0]);
    expect(await pixel(bytes, 500, 256)).toEqual([0, 0, 1]);
  });

  test("consists of the first frame of several", async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer();
    const gif = await sharp([await frame("#f00"), await frame("#00f")], { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const got = await upload(app, gif, await app.person());
    const { bytes } = await fetchPhoto(app, got.body.avatar_url);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
    expect(await pixel(bytes, 256, 256)).toEqual([1, 0, 0]);
  });

  test("applies the EXIF orientation and drops all metadata", async () => {
    const turned = await twoColorImage(600, 600)
      .withExif({ IFD0: { Make: "Camara secreta" }, IFD3: { GPSLatitudeRef: "S", GPSLatitude: "34/1 36/1 0/1" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- Camara secreta --></x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    // The source contains the metadata.
    expect(await sharp(turned).metadata()).toMatchObject({
      orientation: 6,
      exif: expect.any(Buffer),
      icc: expect.any(Buffer),
      xmp: expect.any(Buffer),
    });
    const got = await upload(app, turned, await app.person());
    const { bytes } = await fetchPhoto(app, got.body.avatar_url);
    expect(await pixel(bytes, 256, 10)).toEqual([1, 0, 0]);
    expect(await pixel(bytes, 256, 500)).toEqual([0, 0, 1]);
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(Buffer.from(bytes).includes("Camara secreta")).toBe(false);
  });

  test("leaves the server only as an image, without bytes after its end, with a cache time of 1 h", async () => {
    const polyglot = Buffer.concat([await photo(), Buffer.from("<script>alert(1)</script>PK\u0003\u0004")]);
    const got = await upload(app, polyglot, await app.person());
    expect(got.status).toBe(201);
    const { response, bytes } = await fetchPhoto(app, got.body.avatar_url);
    expect(Buffer.from(bytes).includes("<script>")).toBe(false);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect(headers.get("content-type")).toBe("image/webp");
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toContain("attachment");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("responds 404 if it does not exist", async () => {
    writeFileSync(join(folder, "secret"), "secret");
    for (const path of [
      "/avatars/",
      "/avatars/..%2f..%2fsecret",
      "/avatars/%2e%2e/%2e%2e/secret",
      "/avatars/0f8fad5b-d9cb-469f-a165-70867728950e-0f8fad5b-d9cb-469f-a165-70867728950e.webp",
      "/avatars/%00",
    ]) {
      const { response, bytes } = await fetchPhoto(app, path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(Buffer.from(bytes).toString()).not.toBe("secret");
    }
  });
});

describe("refused uploads", () => {
  const refused = async (file: Uint8Array | string, expected: [number, string], name?: string, type?: string) => {
    const person = await app.person();
    const before = files().length;
    expect(code(await upload(app, file, person, name, type))).toEqual(expected);
    expect(await avatarOf(app, person)).toBeNull();
    expect(files()).toHaveLength(before);
  };
  const TYPE: [number, string] = [415, "unsupported_file_type"];
  const LARGE: [number, string] = [413, "file_too_large"];

  test("require a session", async () => {
    expect(code(await upload(app, await photo(), null))).toEqual([401, "sign_in_to_upload"]);
    expect(code(await upload(app, new Uint8Array(3_000_000), null))).toEqual([401, "sign_in_to_upload"]);
  });

  test("include SVG, HTML and truncated images with any name or type", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    await refused(svg, TYPE, "foto.png", "image/png");
    await refused(Buffer.concat([Buffer.from("GIF89a"), Buffer.from("<script>alert(1)</script>")]), TYPE);
    await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]), TYPE);
    for (const whole of [await photo(), await twoColorImage(300, 300).png().toBuffer()])
      await refused(whole.subarray(0, Math.floor(whole.length * 0.9)), TYPE);
  });

  test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ["nothing", () => Buffer.alloc(0)],
    ["a sound in WebP's container", () => Buffer.from("RIFF\x01\x02\x03\x04WAVEfmt ")],
    ["a text that begins like a GIF", () => Buffer.from("GIF89 ")],
    ["half a signature", () => Buffer.from([0x89, 0x50, 0x4e])],
    ["a photo in the second place", async () => Buffer.concat([Buffer.alloc(1), await photo()])],
    ["an AVIF", () => twoColorImage(300, 300).avif().toBuffer()],
    ["a TIFF", () => twoColorImage(300, 300).tiff().toBuffer()],
  ])("include %s", async (_what, file) => refused(await file(), TYPE));

  test("include files of exactly 5 MB or more", async () => {
    const grown = async (size: number) => {
      const start = await photo();
      return Buffer.concat([start, Buffer.alloc(size - start.length)]);
    };
    expect(LIMITS.photoBytes).toBe(5 * 1024 * 1024);
    for (const more of [0, 200_000]) await refused(await grown(LIMITS.photoBytes + more), LARGE);
    expect((await upload(app, await grown(LIMITS.photoBytes - 1), await app.person())).status).toBe(201);
  });

  test("include forms without a file, with two files or with another field", async () => {
    const person = await app.person();
    const send = (body: BodyInit, headers = {}) =>
      app.page("/api/profile/photo", person, { method: "POST", body, headers }) as unknown as Promise<
        Answer<{ code: string }>
      >;
    const text = new FormData();
    text.append("file", "a text");
    expect(code(await send(text))).toEqual([422, "invalid_input"]);
    const more = form(await photo());
    more.append("user_id", "1");
    expect(code(await send(more))).toEqual([422, "invalid_input"]);
    const two = form(await photo());
    two.append("file", new Blob(["x"]), "x");
    expect(code(await send(two))).toEqual([422, "invalid_input"]);
    expect((await send("--x", { "content-type": "multipart/form-data; boundary=x" })).status).toBe(400);
    expect(code(await send("a=1", { "content-type": "application/x-www-form-urlencoded" }))).toEqual([
      415,
      "unsupported_media_type",
    ]);
    expect(await avatarOf(app, person)).toBeNull();
  });

  test("include decompression bombs, which are not unpacked", async () => {
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    await Promise.all(Array.from({ length: 6 }, () => refused(bomb, [413, "image_dimensions_too_large"])));
    clearInterval(watch);
    expect((peak - before) / 1024 / 1024).toBeLessThan(300);
    // An image just below the limit is unpacked and accepted.
    expect((await upload(app, hugePng(6_000), await app.person())).status).toBe(201);
  });
});

describe("photo page", () => {
  const send = (body: FormData, as: TestUser | null) => app.page("/perfil/foto", as, { method: "POST", body });

  test("accepts a photo without JavaScript, then redirects to the profile", async () => {
    const person = await app.person({ type: "psychologist" });
    const got = await send(form(await photo()), person);
    expect([got.status, got.headers.get("location")]).toEqual([302, "/perfil"]);
    expect(got.headers.get("set-cookie")).toContain("notice=photo_uploaded");
    const profile = await app.page("/perfil", person);
    expect(profile.text).toContain(`src="${await avatarOf(app, person)}"`);
    const noticed = await app.page("/perfil", { cookie: `${person.cookie}; notice=photo_uploaded` } as TestUser);
    expect(noticed.text).toContain("¡Imagen subida exitosamente!");
  });

  test("shows Spanish errors", async () => {
    const person = await app.person({ type: "psychologist" });
    const larger = await send(form(new Uint8Array(12_000_000)), person);
    expect([larger.status, larger.headers.get("location")]).toEqual([303, "/perfil/foto?error=file_too_large"]);
    expect((await send(form(bomb), person)).text).toContain("40 millones de píxeles");
    const out = await send(form(await photo()), null);
    expect([out.status, out.headers.get("location")]).toEqual([302, "/auth?volver=/perfil"]);
  });
});
