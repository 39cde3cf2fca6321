import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { avatarOf, code, fetchPhoto, photo, setUpPhotoApp, upload } from "#test/photos.ts";
import { JOBS } from "../background.ts";
import { startWorkers } from "../jobs.ts";

const { app, files } = setUpPhotoApp();
const filesOf = (person: TestUser) => files().filter((name) => name.startsWith(person.id));

const MB = 1024 * 1024;
/**
 * Starts an upload by the page's form, of which the server reads up to 45 MB, then stops. The server is reading it: the
 * two sockets buffer less than this.
 */
async function stalled(as: TestUser) {
  const request = httpRequest(`${app.url}/perfil/foto`, {
    method: "POST",
    headers: {
      cookie: as.cookie,
      origin: app.url,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": 44 * MB,
    },
  });
  request.on("error", () => {});
  await new Promise((sent) => request.write(Buffer.alloc(40 * MB), sent));
  return request;
}
const heavy = async () => {
  const start = await photo();
  return Buffer.concat([start, Buffer.alloc(2_000_000 - start.length)]);
};

test.runIf(FULL_RUN)(
  "large photos use two slots for slow clients without delaying small photos, until the clients disconnect",
  async () => {
    const slow = [await stalled(await app.person()), await stalled(await app.person())];
    let arrived = false;
    const waiting = upload(app, await heavy(), await app.person()).finally(() => {
      arrived = true;
    });
    for (let small = 0; small < 5; small++)
      expect((await upload(app, await photo(), await app.person())).status).toBe(201);
    expect(arrived).toBe(false);
    for (const request of slow) request.destroy();
    expect((await waiting).status).toBe(201);
  },
);

describe("stored files", () => {
  test("replace the old photo, whose file a job removes unless the profile shows it", async () => {
    const person = await app.person();
    const first = (await upload(app, await photo(), person)).body.avatar_url;
    const second = (await upload(app, await photo(), person)).body.avatar_url;
    expect(second).not.toBe(first);
    expect(filesOf(person)).toHaveLength(2);
    const queued = await app.sql(
      "select from pgboss.job where name = 'unused-files' and start_after <= now() and data ->> 'key' = $1",
      [first.slice(1)],
    );
    expect(queued).toHaveLength(1);
    const workers = new Map<string, (jobs: { data: { key: string } }[]) => Promise<void>>();
    const boss = { work: async (name: string, _: unknown, run: never) => workers.set(name, run), schedule: () => {} };
    await startWorkers({ ...app.context, boss: boss as never }, JOBS);
    await workers.get("unused-files")!([first, second].map((path) => ({ data: { key: path.slice(1) } })));
    expect(filesOf(person)).toEqual([second.slice("/avatars/".length)]);
    expect((await fetchPhoto(app, first)).response.status).toBe(404);
  });

  test("leave one photo with its file after 6 concurrent uploads", async () => {
    const person = await app.person();
    const file = await photo();
    const got = await Promise.all(Array.from({ length: 6 }, () => upload(app, file, person)));
    expect(got.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(got.map(({ body }) => body.avatar_url)).size).toBe(6);
    const address = (await avatarOf(app, person))!;
    expect((await fetchPhoto(app, address)).response.status).toBe(200);
    // All others are queued for removal.
    const queued = await app.sql<{ key: string }>(
      "select distinct data ->> 'key' as key from pgboss.job where name = 'unused-files' and start_after <= now() and data ->> 'key' like $1",
      [`avatars/${person.id}%`],
    );
    const kept = filesOf(person).filter((name) => !queued.some(({ key }) => key === `avatars/${name}`));
    expect(kept).toEqual([address.slice("/avatars/".length)]);
  });

  test("leave the profile unchanged and no file after a storage error", async () => {
    const stored = new Map<string, Uint8Array>();
    let failing = false;
    const broken = await openTestApp({
      overrides: {
        storage: {
          async put(key, bytes) {
            stored.set(key, bytes);
            if (failing) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          },
          async get(key) {
            if (failing) throw new Error("away");
            return stored.get(key) ?? null;
          },
          async remove(key) {
            stored.delete(key);
          },
        },
      },
    });
    try {
      const person = await broken.person();
      const before = (await upload(broken, await photo(), person)).body.avatar_url;
      failing = true;
      const got = await upload(broken, await photo(), person);
      expect(code(got)).toEqual([503, "upload_failed"]);
      expect(await avatarOf(broken, person)).toBe(before);
      expect([...stored.keys()]).toEqual([before.slice(1)]);
      expect((await fetchPhoto(broken, before)).response.status).toBe(503);
      // If the transaction fails, the file waits for its removal.
      failing = false;
      const gone = await broken.person();
      await broken.sql(
        "create function go() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
      );
      await broken.sql("create trigger no before update on profiles for each row execute function go()");
      expect((await upload(broken, await photo(), gone)).status).toBe(500);
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

test("S3-compatible storage stores, serves and removes photos", async () => {
  const person = await remote.person();
  const got = await upload(remote, await photo(), person);
  expect(got.status).toBe(201);
  const { response, bytes } = await fetchPhoto(remote, got.body.avatar_url);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect((await sharp(bytes).metadata()).width).toBe(512);
  await remote.context.storage.remove(got.body.avatar_url.slice(1));
  expect((await fetchPhoto(remote, got.body.avatar_url)).response.status).toBe(404);
  await remote.context.storage.remove(got.body.avatar_url.slice(1));
});
