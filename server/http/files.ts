/** What is served as a file: photos, and the files of the build. */
import { serveStatic } from "@hono/node-server/serve-static";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { photoKey } from "../uploads/rules.ts";
import { errorResponse } from "./errors.ts";
import type { Shell } from "./shell.ts";

/** Serves photos. */
export function servePhotos(app: Shell, { storage, log }: Context): void {
  // Photos are always served from here, wherever they are stored: only their keys can be requested, and the content type is
  // fixed.
  app.get("/avatars/*", async (c) => {
    const key = photoKey(c.req.path);
    const photo =
      key &&
      (await storage.get(key).catch((error: Error) => {
        log.warn({ event: "storage_unavailable", reason: error.name });
        throw new AppError("unavailable", { facts: { retry_after_seconds: 5 } });
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

/** Serves the files of the build. @param folder where they are */
export function serveBuild(app: Shell, folder: string): void {
  app.use(
    "/assets/*",
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_path, c) => c.header("cache-control", "public, max-age=31536000, immutable"),
    }),
  );
  app.use("/*", async (c, next) =>
    /^\/[\w-]+\.(?:svg|png|ico|txt|webmanifest)$/.test(c.req.path)
      ? serveStatic({
          root: folder,
          onFound: (_path, inner) => inner.header("cache-control", "public, max-age=3600"),
        })(c, next)
      : next(),
  );
}
