/** Uploads must not be able to fill the server's memory: it is measured from outside, in a process of its own. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { dataFolder, type Server, startServer } from "../e2e/server.ts";
import type { Person } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { hugePng } from "./huge-png.ts";
import { testApp } from "./made-before.ts";

/** How many people send the same photo at once. */
const AT_ONCE = FULL_RUN ? 10 : 4;
/** The side of a heavy photo, in pixels; the heaviest that are possible have a test of their own. */
const SIDE = FULL_RUN ? 3000 : 1800;

const app = testApp();
let server: Server;
let folder: ReturnType<typeof dataFolder>;
// Each test has a server of its own, which has seen nothing yet: a second node on the same database, so that who is signed
// in here is signed in there.
beforeEach(async () => {
  folder = dataFolder();
  server = await startServer({ DATA_DIR: folder.path, DATABASE_URL: app.databaseUrl, DEMO: "on" });
  return async () => {
    await server.stop();
    folder.remove();
  };
});

/** The most memory that the server has ever held, in MB, as the system counts it. */
const peak = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) / 1024;

/** What a photo is answered with. A server that has seen enough of a file may cut it off: that is a refusal too. */
async function send(file: Uint8Array | string, name: string, as: Person, number: number): Promise<number | "cut off"> {
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

const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: "#000",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });

type Attempt = [name: string, file: Uint8Array | string, answers: (number | "cut off")[]];

async function attempts(): Promise<Attempt[]> {
  const whole = await noise(SIDE).jpeg({ quality: 60 }).toBuffer();
  const frames = await Promise.all(Array.from({ length: 8 }, () => noise(200).png().toBuffer()));
  const located = noise(SIDE / 1.5).withExif({ IFD3: { GPSLatitudeRef: "S", GPSLatitude: "34/1 36/1 0/1" } });
  return [
    ["dibujo.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', [415]],
    ["pagina.png", "<!doctype html><script>alert(1)</script>", [415]],
    ["bomba.png", hugePng(20_000), [413]],
    ["poliglota.jpg", Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")]), [201]],
    ["justo.jpg", new Uint8Array(LIMITS.photoBytes), [413]],
    ["enorme.jpg", new Uint8Array(30 * 1024 * 1024), [413, "cut off"]],
    ["gps.jpg", await located.jpeg().toBuffer(), [201]],
    ["cortada.jpg", whole.subarray(0, whole.length / 2), [415]],
    [
      "animada.gif",
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      [201],
    ],
  ];
}

describe.skipIf(process.platform !== "linux")("the memory of the server", () => {
  test("stays below 300 MB while wrong and heavy photos come in, alone and many at once", async () => {
    const files = await attempts();
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => app.person()));
    const before = peak();
    for (const [index, [name, file, answers]] of files.entries())
      expect(answers, name).toContain(await send(file, name, people[index % people.length]!, index));
    for (const [name, file, answers] of files)
      for (const got of await Promise.all(people.map((as, index) => send(file, name, as, index))))
        expect(answers, name).toContain(got);
    // Every kind at once.
    await Promise.all(files.map(([name, file], index) => send(file, name, people[index % people.length]!, index)));
    expect(peak(), `MB; ${before.toFixed(0)} before`).toBeLessThan(300);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test("stays below 300 MB while pictures just below the limit of 40 million pixels are unpacked", async () => {
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => app.person()));
    const picture = hugePng(6_300);
    for (let round = 0; round < (FULL_RUN ? 2 : 1); round++)
      for (const got of await Promise.all(people.map((as, index) => send(picture, "grande.png", as, index))))
        expect(got).toBe(201);
    expect(peak()).toBeLessThan(300);
  });
});
