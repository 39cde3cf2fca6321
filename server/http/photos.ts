import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { photoKey } from "../uploads/rules.ts";
import { errorResponse } from "./errors.ts";
import type { Shell } from "./shell.ts";

export function servePhotos(app: Shell, { storage, log }: Context): void {
  // Photos of every storage are served from here: clients can request only their keys, and the content type is fixed.
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
