import sharp from "sharp";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { limitConcurrency } from "../concurrency.ts";

// Of all formats that the library reads (SVG and documents among them) only these, and only from memory.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
});
// No cache, since the same picture is not sent twice; one thread each, since two are processed at once.
sharp.cache(false);
sharp.concurrency(1);

/** Two at once keep a small machine responsive; a longer queue would hold too many photos in memory. */
const limited = limitConcurrency({ concurrency: 2, queueLimit: 20, retryAfterSeconds: 5 });

/** 40 megapixels are more than most phones make, and about 160 MB once decoded. */
const PIXELS = 40_000_000;

/**
 * A photo as it is stored: the first frame, rotated by its EXIF orientation, cropped to a square, as WebP without metadata.
 * @throws AppError file_type_refused, image_too_many_pixels, busy
 */
export const squarePhoto = (bytes: Uint8Array): Promise<Uint8Array> =>
  limited(async () => {
    try {
      return await sharp(bytes, { limitInputPixels: PIXELS, failOn: "error", sequentialRead: true })
        .autoOrient()
        .resize(LIMITS.photoSide, LIMITS.photoSide, { fit: "cover" })
        .webp({ quality: 82 })
        .timeout({ seconds: 20 })
        .toBuffer();
    } catch (error) {
      const tooMany = /pixel limit|too large|dimensions/i.test((error as Error).message);
      throw new AppError(tooMany ? "image_too_many_pixels" : "file_type_refused");
    }
  });
