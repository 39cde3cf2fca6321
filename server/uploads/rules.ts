import type { ErrorCode } from "#shared/errors.ts";
import { UUID_PATTERN } from "#shared/ids.ts";

/** The path of a user's photo. It contains the user's id: never show it next to anonymous texts. */
export const photoUrl = (profileId: string, id: string) => `/avatars/${profileId}-${id}.webp`;

const PHOTO_URL = new RegExp(`^/(avatars/(${UUID_PATTERN})-${UUID_PATTERN}\\.webp)$`);

/** Returns the storage key of a photo's path, or null for another path. */
export const photoKey = (url: string | null): string | null => PHOTO_URL.exec(url ?? "")?.[1] ?? null;

/** Returns the profile's id from a photo's storage key, or null for another file. */
export const profileOfPhoto = (key: string): string | null => PHOTO_URL.exec(`/${key}`)?.[2] ?? null;

export function conversionError(message: string): ErrorCode {
  // The machine was too slow or had too little memory. The photo may be fine.
  if (/timeout|memory/i.test(message)) return "upload_failed";
  return /pixel limit|too large|dimensions/i.test(message) ? "image_dimensions_too_large" : "unsupported_file_type";
}
