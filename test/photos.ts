/** Photos as people upload them, and as they are kept and served. */
import sharp from "sharp";
import type { Answer, Person, TestApp } from "./app.ts";

/** The form of the page with a photo in it. */
export const form = (file: Uint8Array | string, name = "foto.jpg", type = "image/jpeg") => {
  const body = new FormData();
  body.append("file", new Blob([file as BlobPart], { type }), name);
  return body;
};

/** Sends a photo as our own page does. */
export const upload = (app: TestApp, file: Uint8Array | string, as: Person | null, name?: string, type?: string) =>
  app.page("/api/profile/photo", as, { method: "POST", body: form(file, name, type) }) as unknown as Promise<
    Answer<{ avatar_url: string; code: string }>
  >;

/** Status and error code of a response. */
export const code = ({ status, body }: Answer<{ code: string }>) => [status, body.code];

/** The address of someone's photo in the database. */
export const avatarOf = async (app: TestApp, person: Person) =>
  (await app.sql<{ avatar_url: string | null }>("select avatar_url from profiles where id = $1", [person.id]))[0]!
    .avatar_url;

/** A picture whose left half is red and whose right half is blue. */
export const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#00f" } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: "#f00" } }, left: 0, top: 0 },
  ]);

/** A photo like those that people choose. */
export const photo = () => halves(900, 600).jpeg().toBuffer();

/** Red, green and blue at a point, each there or not. */
export const pixel = async (file: Uint8Array, left: number, top: number) =>
  [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].map((value) =>
    value > 128 ? 1 : 0,
  );

/** A photo as our own origin serves it. */
export const served = async (app: TestApp, address: string) => {
  const response = await fetch(app.url + address);
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};
