/** Measures the server's memory from outside, during uploads, page load and an export. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import type * as AppModule from "#server/app.ts";
import { LIMITS } from "#shared/limits.ts";
import { dataFolder, type Server, startServer } from "../e2e/server.ts";
import type { TestUser } from "./app.ts";
import { hugePng } from "./huge-png.ts";
import { askIgnoringWeeklyLimit, consentingUser, writeLongReplies } from "./own-data.ts";
import { setUpTestApp } from "./suite-setup.ts";
import { publishAnswer } from "./threads.ts";

const AT_ONCE = 10;
/** Side of a heavy photo in pixels. A separate test uploads the largest possible photos. */
const SIDE = 3000;

const app = setUpTestApp();
let server: Server;
let folder: ReturnType<typeof dataFolder>;
// Each test starts a new server as a second node on the same database, so that sessions of `app` are valid there.
beforeEach(async () => {
  folder = dataFolder();
  server = await startServer({ DATA_DIR: folder.path, DATABASE_URL: app.databaseUrl, DEMO: "on" });
  return async () => {
    await server.stop();
    folder.remove();
  };
});

/** The peak memory of the server (VmHWM), in MB. */
const peak = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) / 1024;

/** Uploads a photo. @returns the status, or "cut off" if the server closed the connection */
async function send(file: Uint8Array, name: string, as: TestUser, number: number): Promise<number | "cut off"> {
  const body = new FormData();
  body.append("file", new Blob([file as BlobPart]), name);
  try {
    const response = await fetch(`${server.url}/api/profile/photo`, {
      method: "POST",
      body,
      headers: { cookie: as.cookie, origin: server.url, "x-forwarded-for": `198.18.7.${number}` },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return "cut off";
  }
}

const noise = (side: number) => {
  const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: "#000", noise: gaussian } });
};

const LOAD_SECONDS = 600;

async function pagePaths(): Promise<string[]> {
  const ids = async (table: string) =>
    (await app.sql<{ id: string }>(`select id from ${table} order by id limit 10`)).map(({ id }) => id);
  const consultations = (await ids("consultations")).map((id) => `/consulta/${id}`);
  const psychologists = (await ids("psychologist_profiles")).map((id) => `/psicologo/${id}`);
  return [...consultations, ...psychologists, ...consultations.map((path) => `${path}.data`), "/", "/ayuda", "/"];
}

/** Loads the home page once. @returns the time in milliseconds */
async function homeTime(): Promise<number> {
  const asked = performance.now();
  await (await fetch(`${server.url}/`, { headers: { "x-forwarded-for": "198.18.9.1" } })).arrayBuffer();
  return performance.now() - asked;
}

const LONG_REPLIES = 10_000;

/** Downloads an export without storing it. @returns its size in bytes and its last 10 characters */
async function readExport({ cookie }: TestUser): Promise<{ bytes: number; last: string }> {
  const response = await fetch(`${server.url}/api/account/export`, {
    method: "POST",
    headers: { cookie, origin: server.url, "accept-encoding": "gzip" },
  });
  expect(response.status).toBe(200);
  let bytes = 0;
  let last = "";
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    last = (last + Buffer.from(chunk).toString("latin1")).slice(-10);
  }
  return { bytes, last };
}

type Attempt = [name: string, file: Uint8Array, answers: (number | "cut off")[]];

async function attempts(): Promise<Attempt[]> {
  const whole = await noise(SIDE).jpeg({ quality: 60 }).toBuffer();
  const frames = await Promise.all(Array.from({ length: 8 }, () => noise(200).png().toBuffer()));
  return [
    ["bomba.png", hugePng(20_000), [413]],
    ["entera.jpg", whole, [201]],
    ["justo.jpg", new Uint8Array(LIMITS.photoBytes), [413]],
    ["enorme.jpg", new Uint8Array(30 * 1024 * 1024), [413, "cut off"]],
    ["cortada.jpg", whole.subarray(0, whole.length / 2), [415]],
    ["animada.gif", await (await sharp(frames, { join: { animated: true } }).gif()).toBuffer(), [201]],
  ];
}

describe.skipIf(process.platform !== "linux")("the memory of the server", () => {
  test("stays below 300 MB for 10 concurrent uploads of invalid or heavy photos", async () => {
    const files = await attempts();
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => app.person()));
    for (const [index, [name, file, answers]] of files.entries())
      expect(answers, name).toContain(await send(file, name, people[index % people.length]!, index));
    for (const [name, file, answers] of files)
      for (const got of await Promise.all(people.map((as, index) => send(file, name, as, index))))
        expect(answers, name).toContain(got);
    // All kinds concurrently.
    await Promise.all(files.map(([name, file], index) => send(file, name, people[index % people.length]!, index)));
    expect(peak()).toBeLessThan(300);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test("stays below 300 MB while it decodes photos just below the limit of 40 million pixels", async () => {
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => app.person()));
    const picture = hugePng(6_300);
    for (let round = 0; round < 2; round++)
      for (const got of await Promise.all(people.map((as, index) => send(picture, "grande.png", as, index))))
        expect(got).toBe(201);
    expect(peak()).toBeLessThan(300);
  });

  test("stays below 300 MB while it draws 150 images for sharing, one after another", async () => {
    const { id: author } = await app.person();
    const rows = await app.sql<{ id: string }>(
      `insert into consultations (title, content, country, is_anonymous, user_id)
       select 'Consulta ' || n, 'Un texto para la imagen.', 'Chile', true, $1 from generate_series(1, 150) n returning id`,
      [author],
    );
    for (const { id } of rows) {
      const image = await (await fetch(`${server.url}/imagen/consulta/${id}.png`)).arrayBuffer();
      expect(image.byteLength).toBeGreaterThan(5_000);
    }
    expect(peak()).toBeLessThan(300);
  });

  test(
    "stays below 300 MB under page load on 32 connections from 10 IPs",
    async () => {
      const built = pathToFileURL(join(import.meta.dirname, "..", "build", "server", "index.js")).href;
      await ((await import(built)) as typeof AppModule).loadDemo(app.context);
      const paths = await pagePaths();
      const people = await Promise.all(Array.from({ length: 5 }, () => app.person()));
      const until = Date.now() + LOAD_SECONDS * 1000;
      await Promise.all(
        Array.from({ length: 32 }, async (_, connection) => {
          // Connections with an even number are signed in.
          const cookie = connection % 2 ? "" : people[(connection / 2) % people.length]!.cookie;
          for (let count = 0; Date.now() < until; count++) {
            const path = paths[(connection * 7 + count) % paths.length]!;
            const headers = { cookie, "accept-encoding": "gzip", "x-forwarded-for": `198.18.8.${connection % 10}` };
            const response = await fetch(server.url + path, { headers });
            await response.arrayBuffer();
            expect(response.status, path).toBe(200);
          }
        }),
      );
      expect(peak()).toBeLessThan(300);
    },
    (LOAD_SECONDS + 600) * 1000,
  );

  test("stays below 300 MB during an export of long replies", async () => {
    const [person, psychologist] = [await consentingUser(app), await app.person({ type: "psychologist" })];
    const answer = await publishAnswer(app, await askIgnoringWeeklyLimit(app, person), psychologist);
    await writeLongReplies(app, answer, person, LONG_REPLIES);
    let exporting = true;
    const exported = readExport(person).finally(() => {
      exporting = false;
    });
    const times: number[] = [];
    while (exporting) times.push(await homeTime());
    const { bytes, last } = await exported;
    const p95 = times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
    expect(bytes).toBeGreaterThan(LONG_REPLIES * 20_000);
    expect(last).toMatch(/\n\}$/);
    expect(peak()).toBeLessThan(300);
    expect(p95).toBeLessThan(500);
  });
});
