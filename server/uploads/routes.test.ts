import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { type Answer, ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { eventually } from "#test/eventually.ts";
import { hugePng } from "#test/pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "divan-uploads-"));
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ environment: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const files = () => (existsSync(join(folder, "files/avatars")) ? readdirSync(join(folder, "files/avatars")) : []);
const filesOf = (person: Person) => files().filter((name) => name.startsWith(person.id));

const form = (file: Uint8Array | string, name = "foto.jpg", type = "image/jpeg") => {
  const body = new FormData();
  body.append("file", new Blob([file as BlobPart], { type }), name);
  return body;
};
const upload = (file: Uint8Array | string, as: Person | null, name?: string, type?: string, at = app) =>
  at.page("/api/profile/photo", as, { method: "POST", body: form(file, name, type) }) as unknown as Promise<
    Answer<{ avatar_url: string; code: string }>
  >;
const code = ({ status, body }: Answer<{ code: string }>) => [status, body.code];
const avatarOf = async (person: Person, at = app) =>
  (await at.sql<{ avatar_url: string | null }>("select avatar_url from profiles where id = $1", [person.id]))[0]!
    .avatar_url;

/** A picture whose left half is red and whose right half is blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#00f" } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: "#f00" } }, left: 0, top: 0 },
  ]);
const photo = () => halves(900, 600).jpeg().toBuffer();
const pixel = async (file: Uint8Array, left: number, top: number) =>
  [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].map((value) =>
    value > 128 ? 1 : 0,
  );
const served = async (address: string, at = app) => {
  const response = await fetch(at.url + address);
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

describe("a photo", () => {
  test.each([
    ["a JPEG", () => halves(900, 600).jpeg().toBuffer()],
    ["a PNG", () => halves(600, 900).png().toBuffer()],
    ["a WebP", () => halves(40, 40).webp().toBuffer()],
    ["a GIF", () => halves(300, 200).gif().toBuffer()],
  ])("may be %s, and becomes a square WebP", async (_what, make) => {
    const person = await app.person();
    const got = await upload(await make(), person, "nombre.txt", "text/plain");
    expect(got.status).toBe(201);
    expect(got.body.avatar_url).toMatch(new RegExp(`^/avatars/${person.id}-\\d{13}\\.webp$`));
    expect(await avatarOf(person)).toBe(got.body.avatar_url);
    const { bytes } = await served(got.body.avatar_url);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 512, height: 512 });
    expect(await pixel(bytes, 10, 256)).toEqual([1, 0, 0]);
    expect(await pixel(bytes, 500, 256)).toEqual([0, 0, 1]);
  });

  test("of many frames becomes its first", async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer();
    const gif = await sharp([await frame("#f00"), await frame("#00f")], { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const got = await upload(gif, await app.person());
    const { bytes } = await served(got.body.avatar_url);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
    expect(await pixel(bytes, 256, 256)).toEqual([1, 0, 0]);
  });

  test("is turned as the camera says, and keeps nothing of where it was taken", async () => {
    const turned = await halves(600, 600)
      .withExif({ IFD0: { Make: "Camara secreta" }, IFD3: { GPSLatitudeRef: "S", GPSLatitude: "34/1 36/1 0/1" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- Camara secreta --></x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    // What is to go is there.
    expect(await sharp(turned).metadata()).toMatchObject({
      orientation: 6,
      exif: expect.any(Buffer),
      icc: expect.any(Buffer),
      xmp: expect.any(Buffer),
    });
    const got = await upload(turned, await app.person());
    const { bytes } = await served(got.body.avatar_url);
    expect(await pixel(bytes, 256, 10)).toEqual([1, 0, 0]);
    expect(await pixel(bytes, 256, 500)).toEqual([0, 0, 1]);
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(Buffer.from(bytes).includes("Camara secreta")).toBe(false);
  });

  test("loses whatever was hidden behind its end", async () => {
    const polyglot = Buffer.concat([await photo(), Buffer.from("<script>alert(1)</script>PK\u0003\u0004")]);
    const got = await upload(polyglot, await app.person());
    expect(got.status).toBe(201);
    expect(Buffer.from((await served(got.body.avatar_url)).bytes).includes("<script>")).toBe(false);
  });

  test("is served as an image and nothing else, for an hour, by ourselves", async () => {
    const got = await upload(await photo(), await app.person());
    const { response } = await served(got.body.avatar_url);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect(headers.get("content-type")).toBe("image/webp");
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toContain("attachment");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test.each([
    "/avatars/",
    "/avatars/..%2f..%2fsecret",
    "/avatars/../secret",
    "/avatars/%2e%2e/%2e%2e/secret",
    "/avatars/0f8fad5b-d9cb-469f-a165-70867728950e-1700000000000.webp",
    "/avatars/%00",
  ])("that is not there (%s) is a 404, and leads nowhere else", async (path) => {
    writeFileSync(join(folder, "secret"), "secret");
    const { response, bytes } = await served(path);
    expect(response.status).toBe(404);
    expect(Buffer.from(bytes).toString()).not.toBe("secret");
  });
});

describe("refused are", () => {
  const refused = async (file: Uint8Array | string, expected: [number, string], name?: string, type?: string) => {
    const person = await app.person();
    const before = files().length;
    expect(code(await upload(file, person, name, type))).toEqual(expected);
    expect(await avatarOf(person)).toBeNull();
    expect(files()).toHaveLength(before);
  };
  const TYPE: [number, string] = [415, "file_type_refused"];
  const LARGE: [number, string] = [413, "file_too_large"];

  test("whoever is signed out", async () => {
    expect(code(await upload(await photo(), null))).toEqual([401, "sign_in_to_upload"]);
    expect(code(await upload(new Uint8Array(3_000_000), null))).toEqual([401, "sign_in_to_upload"]);
  });

  test("drawings and pages, whatever they call themselves", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    await refused(svg, TYPE, "foto.svg", "image/svg+xml");
    await refused(svg, TYPE, "foto.png", "image/png");
    await refused(`<?xml version="1.0"?>${svg}`, TYPE);
    await refused("<!doctype html><script>alert(1)</script>", TYPE, "foto.jpg", "image/jpeg");
    await refused("<!doctype html><script>alert(1)</script>", TYPE, "foto.png", "image/png");
    await refused(Buffer.concat([Buffer.from("GIF89a"), Buffer.from("<script>alert(1)</script>")]), TYPE);
    await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]), TYPE);
  });

  test("files that are no picture, empty or cut off", async () => {
    await refused("", TYPE);
    await refused("%PDF-1.7 ...", TYPE);
    await refused(await halves(64, 64).tiff().toBuffer(), TYPE);
    await refused(await halves(64, 64).avif().toBuffer(), TYPE);
    for (const whole of [await halves(900, 600).jpeg().toBuffer(), await halves(300, 300).png().toBuffer()])
      for (const part of [0.5, 0.9]) await refused(whole.subarray(0, Math.floor(whole.length * part)), TYPE);
  });

  test("files of 5 MB and more, to the byte", async () => {
    const grown = async (size: number) => {
      const start = await photo();
      return Buffer.concat([start, Buffer.alloc(size - start.length)]);
    };
    await refused(await grown(LIMITS.photoBytes), LARGE);
    await refused(await grown(LIMITS.photoBytes + 1), LARGE);
    await refused(await grown(LIMITS.photoBytes + 200_000), LARGE);
    expect((await upload(await grown(LIMITS.photoBytes - 1), await app.person())).status).toBe(201);
  });

  test("forms without a file, with two, or with anything else", async () => {
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
    expect(await avatarOf(person)).toBeNull();
  });

  test("large bodies at any other address, photo or not", async () => {
    const person = await app.person();
    for (const path of ["/perfil", "/auth", "/perfil/fotos", "/nueva-consulta"]) {
      const got = await app.page(path, person, { method: "POST", body: form(new Uint8Array(100_000)) });
      expect([path, got.status]).toEqual([path, 413]);
    }
    const json = await app.call("POST", "/profile/photo", JSON.stringify({ file: "a".repeat(70_000) }), person);
    expect(json.body.code).toBe("payload_too_large");
  });

  test("bombs, without unpacking them", async () => {
    const bomb = hugePng(20_000);
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    await Promise.all(Array.from({ length: 6 }, () => refused(bomb, [413, "image_too_many_pixels"])));
    clearInterval(watch);
    expect((peak - before) / 1024 / 1024).toBeLessThan(300);
    // A picture just below the limit is unpacked, and is fine.
    expect((await upload(hugePng(6_000), await app.person())).status).toBe(201);
  });
});

describe("large photos", () => {
  /** Begins to send a large photo and stops half way; whatever is asked from then on comes after it. */
  async function stalled(as: Person) {
    const request = httpRequest(`${app.url}/api/profile/photo`, {
      method: "POST",
      headers: {
        cookie: as.cookie,
        origin: app.url,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": 3_000_000,
      },
    });
    request.on("error", () => {});
    await new Promise((sent) => request.write("--x\r\n", sent));
    expect((await app.call("GET", "/session", undefined, as)).status).toBe(200);
    return request;
  }
  const heavy = async () => {
    const start = await photo();
    return Buffer.concat([start, Buffer.alloc(2_000_000 - start.length)]);
  };

  test("of who sends slowly take two places, and hold up neither small photos nor, once they have gone, large ones", async () => {
    const slow = [await stalled(await app.person()), await stalled(await app.person())];
    let arrived = false;
    const waiting = upload(await heavy(), await app.person()).finally(() => {
      arrived = true;
    });
    expect((await upload(await photo(), await app.person())).status).toBe(201);
    expect(arrived).toBe(false);
    for (const request of slow) request.destroy();
    expect((await waiting).status).toBe(201);
  });

  test("of one person come one after another, so that they never take more than one place", async () => {
    const person = await app.person();
    const slow = await Promise.all(Array.from({ length: 5 }, () => stalled(person)));
    expect((await upload(await heavy(), await app.person())).status).toBe(201);
    for (const request of slow) request.destroy();
    expect((await upload(await heavy(), person)).status).toBe(201);
  });
});

describe("what is left behind", () => {
  test("a new photo takes the place of the old one, whose file goes once the new one is saved", async () => {
    const person = await app.person();
    const first = (await upload(await photo(), person)).body.avatar_url;
    await new Promise((go) => setTimeout(go, 5));
    const second = (await upload(await photo(), person)).body.avatar_url;
    expect(second).not.toBe(first);
    expect(filesOf(person)).toHaveLength(2);
    const queued = await app.sql<{ key: string; start_after: Date }>(
      "select data ->> 'key' as key, start_after from pgboss.job where name = 'unused-files' and start_after <= now() and data ->> 'key' = $1",
      [first.slice(1)],
    );
    expect(queued).toHaveLength(1);
  });

  test("many at once leave one photo, whose file is there", async () => {
    const person = await app.person();
    const file = await photo();
    const got = await Promise.all(Array.from({ length: 10 }, () => upload(file, person)));
    expect(got.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const address = (await avatarOf(person))!;
    expect((await served(address)).response.status).toBe(200);
    // Every other one is queued for removal.
    const queued = await app.sql<{ key: string }>(
      "select distinct data ->> 'key' as key from pgboss.job where name = 'unused-files' and start_after <= now() and data ->> 'key' like $1",
      [`avatars/${person.id}%`],
    );
    const kept = filesOf(person).filter((name) => !queued.some(({ key }) => key === `avatars/${name}`));
    expect(kept).toEqual([address.slice("/avatars/".length)]);
  });

  test("workers remove what no one shows, and never what someone does", async () => {
    const own = mkdtempSync(join(tmpdir(), "divan-uploads-"));
    const working = await openTestApp({ workers: true, environment: { DATA_DIR: own } });
    try {
      const person = await working.person();
      const first = (await upload(await photo(), person, undefined, undefined, working)).body.avatar_url;
      await new Promise((go) => setTimeout(go, 5));
      const second = (await upload(await photo(), person, undefined, undefined, working)).body.avatar_url;
      // The look that every upload asks for beforehand, now.
      await working.sql("update pgboss.job set start_after = now() where name = 'unused-files'");
      const there = () => readdirSync(join(own, "files/avatars")).map((name) => `/avatars/${name}`);
      await eventually(async () => {
        const [left] = await working.sql<{ n: number }>(
          "select count(*)::integer as n from pgboss.job where name = 'unused-files' and state <> 'completed'",
        );
        return left!.n === 0 && there().length < 2 ? true : undefined;
      }, "the end of all jobs, and one picture");
      expect(there()).toEqual([second]);
      expect((await served(first, working)).response.status).toBe(404);
    } finally {
      await working.close();
      rmSync(own, { recursive: true, force: true });
    }
  });

  test("a store that fails leaves the profile as it was, says so, and leaves no file", async () => {
    const stored = new Map<string, Uint8Array>();
    let failing = false;
    const broken = await openTestApp({
      overrides: {
        storage: {
          async put(key, bytes) {
            stored.set(key, bytes);
            if (failing) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          },
          get: async (key) => stored.get(key) ?? null,
          async remove(key) {
            stored.delete(key);
          },
        },
      },
    });
    try {
      const person = await broken.person();
      const before = (await upload(await photo(), person, undefined, undefined, broken)).body.avatar_url;
      failing = true;
      const got = await upload(await photo(), person, undefined, undefined, broken);
      expect(code(got)).toEqual([503, "upload_failed"]);
      expect(await avatarOf(person, broken)).toBe(before);
      expect([...stored.keys()]).toEqual([before.slice(1)]);
      // Someone whose account went meanwhile: no row, and the file waits for its removal.
      failing = false;
      const gone = await broken.person();
      await broken.sql(
        "create function go() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
      );
      await broken.sql("create trigger no before update on profiles for each row execute function go()");
      expect((await upload(await photo(), gone, undefined, undefined, broken)).status).toBe(500);
      const orphan = [...stored.keys()].find((key) => key.includes(gone.id))!;
      const waiting = await broken.sql(
        "select from pgboss.job where name = 'unused-files' and data ->> 'key' = $1 and start_after < now() + interval '11 minutes'",
        [orphan],
      );
      expect(waiting).toHaveLength(1);
    } finally {
      await broken.close();
    }
  });
});

describe("the page", () => {
  const send = (body: FormData, as: Person | null) => app.page("/perfil/foto", as, { method: "POST", body });

  test("takes a photo without JavaScript and leads back to the profile", async () => {
    const person = await app.person({ type: "psychologist" });
    const got = await send(form(await photo()), person);
    expect([got.status, got.headers.get("location")]).toEqual([302, "/perfil"]);
    expect(got.headers.get("set-cookie")).toContain("notice=photo_uploaded");
    const profile = await app.page("/perfil", person);
    expect(profile.text).toContain(`src="${await avatarOf(person)}"`);
    const noticed = await app.page("/perfil", { cookie: `${person.cookie}; notice=photo_uploaded` } as Person);
    expect(noticed.text).toContain("¡Imagen subida exitosamente!");
  });

  test("says what is wrong in the words of the product", async () => {
    const person = await app.person({ type: "psychologist" });
    const wrong = await send(form("<svg/>"), person);
    expect(wrong.status).toBe(415);
    expect(wrong.text).toContain("Tipo de archivo no válido");
    expect(wrong.text).toContain("Por favor, selecciona una imagen (JPG, PNG, GIF, etc.)");
    const exact = await send(form(new Uint8Array(LIMITS.photoBytes)), person);
    expect(exact.status).toBe(413);
    expect(exact.text).toContain("El archivo debe ser menor a 5MB");
    const larger = await send(form(new Uint8Array(12_000_000)), person);
    expect([larger.status, larger.headers.get("location")]).toEqual([303, "/perfil/foto?error=file_too_large"]);
    expect((await app.page("/perfil/foto?error=file_too_large", person)).text).toContain("Archivo demasiado grande");
    const out = await send(form(await photo()), null);
    expect([out.status, out.headers.get("location")]).toEqual([302, "/auth?volver=/perfil"]);
  });

  test.each([
    [
      "a drawing",
      () => "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "Tipo de archivo no válido",
      "selecciona una imagen (JPG, PNG, GIF, etc.)",
    ],
    [
      "a page called .png",
      () => "<!doctype html><p>Hola",
      "Tipo de archivo no válido",
      "selecciona una imagen (JPG, PNG, GIF, etc.)",
    ],
    [
      "a picture cut off",
      async () => (await photo()).subarray(0, 4000),
      "Tipo de archivo no válido",
      "selecciona una imagen (JPG, PNG, GIF, etc.)",
    ],
    [
      "exactly 5 MB",
      () => new Uint8Array(LIMITS.photoBytes),
      "Archivo demasiado grande",
      "El archivo debe ser menor a 5MB",
    ],
    ["20,000 x 20,000 pixels", () => hugePng(20_000), "Archivo demasiado grande", "40 millones de píxeles"],
  ])("refuses %s in words that fit", async (_what, make, title, words) => {
    const got = await send(form(await make(), "foto.png", "image/png"), await app.person({ type: "psychologist" }));
    expect(got.status).toBeGreaterThanOrEqual(413);
    expect(got.text).toContain(title);
    expect(got.text).toContain(words);
  });

  test("is not fooled by a word in its address", async () => {
    const person = await app.person({ type: "psychologist" });
    for (const error of ["constructor", "__proto__", "unexpected", "%00"]) {
      const got = await app.page(`/perfil/foto?error=${error}`, person);
      expect(got.status).toBe(200);
      expect(got.text).not.toContain('role="alert" class="notice');
    }
  });
});

test("nothing that others receive about an anonymous consultation leads to its author's photo", async () => {
  const author = await app.person();
  const address = (await upload(await photo(), author)).body.avatar_url;
  const id = await ask(app, author, { is_anonymous: true });
  for (const as of [null, await app.person(), await app.person({ type: "psychologist" }), await app.admin()])
    for (const path of ["/", `/consulta/${id}`, `/api/consultations/${id}`, "/api/consultations"]) {
      const { text } = await app.page(path, as);
      expect(text).not.toContain(address);
      expect(text).not.toContain(author.id);
    }
});

/** What every store does, whatever it is made of. */
async function expectNothingIsWrittenOver({ storage }: TestApp["context"]): Promise<void> {
  const key = `avatars/${randomUUID()}-1700000000000.webp`;
  const text = async () => Buffer.from((await storage.get(key))!).toString();
  await storage.put(key, Buffer.from("first"), "image/webp");
  await expect(storage.put(key, Buffer.from("second"), "image/webp")).rejects.toMatchObject({ code: "NAME_TAKEN" });
  expect(await text()).toBe("first");
  await storage.remove(key);
  await storage.put(key, Buffer.from("third"), "image/webp");
  expect(await text()).toBe("third");
}

describe("in a folder", () => {
  test("nothing is written over", () => expectNothingIsWrittenOver(app.context));

  test("of many who write one name at once, one does", async () => {
    const key = `avatars/${randomUUID()}-1700000000000.webp`;
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const got = await Promise.allSettled(
      texts.map((text) => app.context.storage.put(key, Buffer.from(text), "image/webp")),
    );
    const won = got.findIndex(({ status }) => status === "fulfilled");
    expect(got.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(Buffer.from((await app.context.storage.get(key))!).toString()).toBe(texts[won]);
  });

  test("photos sent in the same millisecond get a name each, and the last one is shown", async () => {
    const person = await app.person();
    app.setNow(new Date());
    try {
      const got = await Promise.all(Array.from({ length: 5 }, async () => upload(await photo(), person)));
      expect(got.map(({ status }) => status)).toEqual(Array(5).fill(201));
      expect(new Set(got.map(({ body }) => body.avatar_url)).size).toBe(5);
      expect(got.map(({ body }) => body.avatar_url)).toContain(await avatarOf(person));
    } finally {
      app.setNow(null);
    }
  });
});

describe("in an S3-compatible store", () => {
  let store: S3rver;
  let remote: TestApp;
  const place = mkdtempSync(join(tmpdir(), "divan-s3-"));
  beforeAll(async () => {
    store = new S3rver({
      port: 0,
      address: "127.0.0.1",
      silent: true,
      directory: place,
      configureBuckets: [{ name: "fotos", configs: [] }],
    });
    const { port } = await store.run();
    remote = await openTestApp({
      environment: { STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${port}/fotos?region=us-east-1&tls=off` },
    });
  });
  afterAll(async () => {
    await remote.close();
    await store.close();
    rmSync(place, { recursive: true, force: true });
  });

  test("photos are written, served by our own origin, and removed", async () => {
    const person = await remote.person();
    const got = await upload(await photo(), person, undefined, undefined, remote);
    expect(got.status).toBe(201);
    const { response, bytes } = await served(got.body.avatar_url, remote);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await sharp(bytes).metadata()).width).toBe(512);
    await remote.context.storage.remove(got.body.avatar_url.slice(1));
    expect((await served(got.body.avatar_url, remote)).response.status).toBe(404);
    await remote.context.storage.remove(got.body.avatar_url.slice(1));
  });

  test("nothing is written over", () => expectNothingIsWrittenOver(remote.context));

  test("what is refused elsewhere is refused here, and leaves nothing", async () => {
    const person = await remote.person();
    const refused = (file: Uint8Array | string) => upload(file, person, undefined, undefined, remote);
    expect(code(await refused("<svg/>"))).toEqual([415, "file_type_refused"]);
    expect(code(await refused(hugePng(20_000)))).toEqual([413, "image_too_many_pixels"]);
    expect(await avatarOf(person, remote)).toBeNull();
  });

  test("a store that is away is said to be away", async () => {
    const away = await openTestApp({
      environment: { STORAGE_URL: "s3://key:secret@127.0.0.1:9/fotos?region=us-east-1&tls=off" },
    });
    try {
      const person = await away.person();
      expect(code(await upload(await photo(), person, undefined, undefined, away))).toEqual([503, "upload_failed"]);
      expect(await avatarOf(person, away)).toBeNull();
      const address = `/avatars/${person.id}-1700000000000.webp`;
      expect((await served(address, away)).response.status).toBe(503);
    } finally {
      await away.close();
    }
  });
});
