import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Context } from "../context.ts";
import { queueJob } from "../jobs.ts";
import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { queueFileRemoval, UNUSED_FILES } from "./queues.ts";
import { photoKey, photoUrl } from "./rules.ts";
import { squarePhoto } from "./square-photo.ts";
import { lockPhoto, setPhoto } from "./store.ts";

/** Stores a photo and queues its removal, which happens unless a profile shows it. */
async function storePhoto({ boss, storage, log }: Context, key: string, photo: Uint8Array): Promise<void> {
  // Longer than any upload, so its transaction has committed or failed.
  await queueJob(boss, null, UNUSED_FILES, { key }, { startAfter: 600 });
  await storage.put(key, photo, "image/webp").catch(async (error: { code?: string }) => {
    await storage.remove(key).catch(() => {});
    log.error({ event: "upload_failed", reason: error.code ?? "unknown" });
    throw new AppError("upload_failed", { details: { retry_after_seconds: 30 } });
  });
}

const { uploads } = api;

export const uploadRoutes = uploads.router({
  // The new file is written before the row with its name, and the old file is removed after that. So after any failure no
  // profile shows a missing photo and no unused file stays.
  photo: uploads.photo
    .use(requireSignIn("sign_in_to_upload"))
    .use(rateLimit("upload"))
    .handler(async ({ context: { request, viewer, db, boss, now }, input: { file } }) => {
      if (file.size >= LIMITS.photoBytes) throw new AppError("file_too_large");
      const photo = await squarePhoto(await file.bytes());
      const avatar_url = photoUrl(viewer.id, randomUUID());
      await storePhoto(request.context, photoKey(avatar_url)!, photo);
      await db.transaction().execute(async (tx) => {
        const before = await lockPhoto(tx, viewer.id);
        if (!before) throw new AppError("sign_in_to_upload");
        const old = photoKey(before.avatar_url);
        await setPhoto(tx, viewer.id, avatar_url, now());
        if (old) await queueFileRemoval(boss, tx, old);
      });
      return { avatar_url };
    }),
});
