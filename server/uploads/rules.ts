import type { ErrorCode } from "#shared/errors.ts";
import { UUID_PATTERN } from "#shared/ids.ts";
import { LIMITS } from "#shared/limits.ts";

/**
 * The path of a user's photo: the user's id and a random one. Shown next to the name, never next to anonymous texts.
 */
export const photoUrl = (profileId: string, id: string) => `/avatars/${profileId}-${id}.webp`;

const ADDRESS = new RegExp(`^/(avatars/(${UUID_PATTERN})-${UUID_PATTERN}\\.webp)$`);

/** Returns the storage key of a photo's path, or null for another path. */
export const photoKey = (address: string | null): string | null => ADDRESS.exec(address ?? "")?.[1] ?? null;

/** Returns the profile's id from a photo's storage key, or null for another file. */
export const profileOfPhoto = (key: string): string | null => ADDRESS.exec(`/${key}`)?.[2] ?? null;

const startsWith = (bytes: Uint8Array, at: number, ...start: number[]) =>
  start.every((byte, index) => bytes[at + index] === byte);

/** Returns the format of an image by its first bytes, or null for refused formats. */
export function imageKind(bytes: Uint8Array): "jpeg" | "png" | "webp" | "gif" | null {
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return "jpeg";
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (startsWith(bytes, 0, 0x47, 0x49, 0x46, 0x38) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61)
    return "gif";
  if (startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50)) return "webp";
  return null;
}

/** Returns why the conversion failed, by the message of the library. */
export function conversionError(message: string): ErrorCode {
  // The machine was too slow or had too little memory. The photo may be fine.
  if (/timeout|memory/i.test(message)) return "upload_failed";
  return /pixel limit|too large|dimensions/i.test(message) ? "image_dimensions_too_large" : "unsupported_file_type";
}

/** Returns the reason to refuse a file of this size, or null. */
export const photoSizeError = (size: number): ErrorCode | null => (size >= LIMITS.photoBytes ? "file_too_large" : null);

/** Returns the reason to refuse an undecoded file, or null. */
export const photoTypeError = (bytes: Uint8Array): ErrorCode | null =>
  imageKind(bytes) ? null : "unsupported_file_type";
