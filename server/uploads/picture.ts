import sharp from "sharp";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { fewAtOnce } from "../few-at-once.ts";

// Of all that the library reads (SVG and documents among it) only these, and only from memory.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
});
// Nobody sends the same picture twice; one thread each, since two are worked on at once.
sharp.cache(false);
sharp.concurrency(1);

/** Two at once keep a small machine answering; a longer queue would hold more photos in memory than it is worth. */
const oneOfFew = fewAtOnce({ atOnce: 2, mayWait: 20, retryAfterSeconds: 5 });

/** 40 megapixels are more than most phones make, and about 160 MB once unpacked. */
const PIXELS = 40_000_000;

/**
 * A photo as we keep it: the first frame, turned as the camera says, cut to a square, as WebP without anything else that
 * the file held.
 * @throws AppError file_type_refused, image_too_many_pixels, busy
 */
export const squarePhoto = (bytes: Uint8Array): Promise<Uint8Array> =>
  oneOfFew(async () => {
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
