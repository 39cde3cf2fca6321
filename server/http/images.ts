import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { AppError } from "#shared/errors.ts";
import { limitConcurrency } from "../concurrency.ts";
import { publicConsultation } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { dataUrl, drawShareImage, paintShareImage, type ShareCard } from "../indexing/share-image.tsx";
import { publicPsychologist } from "../psychologists/store.ts";
import { missing } from "../threads/store.ts";
import { photoKey } from "../uploads/rules.ts";
import { errorResponse } from "./errors.ts";
import { SHARE_IMAGE_PATH } from "./page-keys.ts";
import { limitSender } from "./sender-limits.ts";
import type { Shell } from "./shell.ts";

/** Side of a photo in an image, in pixels. */
const PHOTO_SIDE = 180;
const DEMO_PORTRAIT = /^\/retrato-\d\.svg$/;

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString("es", { useGrouping: "always" })} ${count === 1 ? one : many}`;

/** Serves the photos of every storage. Clients can request only their keys, and the content type is fixed. */
export function servePhotos(app: Shell, { storage, log }: Context): void {
  app.get("/avatars/*", async (c) => {
    const key = photoKey(c.req.path);
    const photo =
      key &&
      (await storage.get(key).catch((error: Error) => {
        log.warn({ event: "storage_unavailable", reason: error.name });
        throw new AppError("unavailable", { details: { retry_after_seconds: 5 } });
      }));
    if (!photo) return errorResponse(new AppError("not_found"));
    return c.body(new Uint8Array(photo), 200, {
      "content-type": "image/webp",
      "content-length": String(photo.length),
      "content-disposition": 'attachment; filename="avatar.webp"',
      "cache-control": "public, max-age=3600",
    });
  });
}

/** Serves the images for sharing. The page cache stores them like pages, the same for every sender. */
export function serveShareImages(app: Shell, context: Context, clientFolder: string): void {
  const { config, storage, now } = context;
  // An image takes about 0.1 s of a processor and 15 MB of memory.
  const limited = limitConcurrency({ concurrency: 1, queueLimit: 16, retryAfterSeconds: 5 });

  const consultationCard = async (id: string, { publicDb }: Context): Promise<ShareCard> => {
    const row = await publicConsultation(publicDb, id);
    if (!row) throw await missing(publicDb, id, "consultation_not_found");
    const { title, category, country, response_count: count } = row;
    const [figure, note] = count
      ? [plural(count, "respuesta", "respuestas"), "de psicólogos verificados"]
      : ["Consulta abierta", "a psicólogos verificados"];
    return { id, title, topic: category, country, figure, note };
  };

  const photoOf = async (url: string | null): Promise<string | undefined> => {
    if (config.demo && url && DEMO_PORTRAIT.test(url))
      return dataUrl("image/svg+xml", await readFile(clientFolder + url));
    const key = photoKey(url);
    const photo = key && (await storage.get(key).catch(() => null));
    return photo ? dataUrl("image/png", await sharp(photo).resize(PHOTO_SIDE, PHOTO_SIDE).png().toBuffer()) : undefined;
  };

  const psychologistCard = async (id: string, { publicDb }: Context): Promise<ShareCard> => {
    const row = await publicPsychologist(publicDb, id, now());
    if (!row) throw new AppError("psychologist_not_found");
    return {
      id,
      title: row.full_name,
      topic: row.specialty === "Otra" ? null : row.specialty,
      country: row.country,
      photo: await photoOf(row.avatar_url),
      figure: row.is_verified ? "Matrícula verificada" : "Pendiente de verificación",
      note: row.total_responses ? plural(row.total_responses, "respuesta", "respuestas") : "",
    };
  };

  app.get("/imagen/*", async (c, next) => {
    const [, kind, id = ""] = SHARE_IMAGE_PATH.exec(c.req.path) ?? [];
    if (!kind) return next();
    const own = c.get("own");
    const { shared } = c.env;
    shared?.items.add(id);
    shared?.counts.add(id);
    const readCard = kind === "consulta" ? consultationCard : psychologistCard;
    const image = await limited(async () => {
      const draw = async () => drawShareImage(await readCard(id, own.context));
      return paintShareImage(await limitSender(c, draw));
    });
    // In an image search, a title would appear without its answers, and after its author has excluded the page.
    return c.body(image, 200, { "content-type": "image/png", "cache-control": "no-cache", "x-robots-tag": "noindex" });
  });
}
