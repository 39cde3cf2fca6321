/** Photos as users upload them, and as the server stores and serves them. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll } from "vitest";
import type { Answer, TestApp, TestUser } from "./app.ts";
import { setUpTestApp } from "./suite-setup.ts";

export const form = (file: Uint8Array | string, name = "foto.jpg", type = "image/jpeg") => {
  const body = new FormData();
  body.append("file", new Blob([file as BlobPart], { type }), name);
  return body;
};

export const upload = (app: TestApp, file: Uint8Array | string, as: TestUser | null, name?: string, type?: string) =>
  app.page("/api/profile/photo", as, { method: "POST", body: form(file, name, type) }) as unknown as Promise<
    Answer<{ avatar_url: string; code: string }>
  >;

export const code = ({ status, body }: Answer<{ code: string }>) => [status, body.code];

export const avatarOf = async (app: TestApp, person: TestUser) =>
  (await app.sql<{ avatar_url: string | null }>("select avatar_url from profiles where id = $1", [person.id]))[0]!
    .avatar_url;

export const twoColorImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#00f" } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: "#f00" } }, left: 0, top: 0 },
  ]);

export const photo = () => twoColorImage(900, 600).jpeg().toBuffer();

/** Returns red, green and blue of a point, each as 0 or 1. */
export const pixel = async (file: Uint8Array, left: number, top: number) =>
  [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].map((value) =>
    value > 128 ? 1 : 0,
  );

export const fetchPhoto = async (app: TestApp, address: string) => {
  const response = await fetch(app.url + address);
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

/** Opens an application that stores files in a new folder. `files` lists the names of its photos. */
export function setUpPhotoApp() {
  const folder = mkdtempSync(join(tmpdir(), "divan-uploads-"));
  const app = setUpTestApp({ environment: { DATA_DIR: folder } });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const avatars = join(folder, "files/avatars");
  return { folder, app, files: () => (existsSync(avatars) ? readdirSync(avatars) : []) };
}
