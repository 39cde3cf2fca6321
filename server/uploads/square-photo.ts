import sharp from "sharp";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { limitConcurrency } from "../concurrency.ts";
import { conversionError } from "./rules.ts";

// The library reads many formats, including SVG and documents. Allow only these, and only from memory.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["Jpeg", "Png", "Webp", "Nsgif"].map((format) => `VipsForeignLoad${format}Buffer`) });
// No cache: users do not send the same image twice. One thread per image: the server processes two at a time.
sharp.cache(false);
sharp.concurrency(1);

/** A longer queue would hold too many photos in memory. */
const limited = limitConcurrency({ concurrency: 2, queueLimit: 20, retryAfterSeconds: 5 });

/** More than most phones produce, and about 160 MB decoded. */
const PIXELS = 40_000_000;

/**
 * Converts a photo to its stored form: first frame, rotated by its EXIF orientation, cropped to a square, WebP without
 * metadata.
 * @throws AppError unsupported_file_type, image_dimensions_too_large, server_busy
 * @throws AppError upload_failed if the conversion took too long
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
      const code = conversionError((error as Error).message);
      throw new AppError(code, code === "upload_failed" ? { details: { retry_after_seconds: 30 } } : {});
    }
  });
