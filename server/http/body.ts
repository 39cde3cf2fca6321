import { AppError, type ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { limitConcurrency } from "../concurrency.ts";
import { releaseBytes } from "../garbage-collection.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { SAFE_METHODS } from "./origin.ts";

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;
const PHOTO_PATHS = /^(\/api\/profile\/photo|\/perfil\/foto(\.data)?)$/;
/** Bytes of a too large photo that the server drops: a browser shows the response only after it sent the request. */
const PHOTO_DRAIN_BYTES = 45 * 1024 * 1024;

/** Largest body, further bytes that are read only to be dropped, and the error above them. */
type BodyLimit = { bytes: number; drainBytes: number; tooLarge: ErrorCode };

export const WEBHOOK: BodyLimit = { bytes: LIMITS.webhookBytes, drainBytes: 0, tooLarge: "payload_too_large" };
const ORDINARY: BodyLimit = { bytes: LIMITS.bodyBytes, drainBytes: 0, tooLarge: "payload_too_large" };

export const isForm = (type: string | undefined) => FORM_TYPES.test(type ?? "");

export const isPhotoUpload = (request: Request) =>
  request.method === "POST" &&
  PHOTO_PATHS.test(new URL(request.url).pathname) &&
  MULTIPART.test(request.headers.get("content-type") ?? "");

/** Returns the limit of a request's body. Photos are the largest bodies, so only signed-in users may send them. */
export function bodyLimit(request: Request, own: RequestContext): BodyLimit {
  if (!isPhotoUpload(request)) return ORDINARY;
  if (!own.session) return { ...ORDINARY, tooLarge: "sign_in_to_upload" };
  const bytes = LIMITS.photoBytes + LIMITS.photoFormBytes;
  const forPage = !new URL(request.url).pathname.startsWith("/api/");
  return { bytes, drainBytes: forPage ? PHOTO_DRAIN_BYTES : 0, tooLarge: "file_too_large" };
}

/**
 * @returns the whole body of a request, or null if it is empty or missing
 * @throws AppError the limit's error
 * @throws AppError malformed_request if the client disconnects
 */
export async function readBody(request: Request, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer> | null> {
  if (SAFE_METHODS.has(request.method)) return null;
  const most = limit.bytes + limit.drainBytes;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > most) throw new AppError(limit.tooLarge);
  if (!request.body) return null;
  let chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > most) throw new AppError(limit.tooLarge);
      if (size > limit.bytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch (error) {
    // If the client disconnected, its ECONNRESET would count as an outage of the database.
    throw error instanceof AppError ? error : new AppError("malformed_request");
  }
  if (size > limit.bytes) throw new AppError(limit.tooLarge);
  return size ? Buffer.concat(chunks) : null;
}

/** Our page sends less, because it crops photos in the browser to 1,024 x 1,024 pixels. */
const SMALL_PHOTO_BYTES = 1024 * 1024;
/** With two large photos at a time, and earlier ones collected, the server stays below 300 MB (test/memory.test.ts). */
const limited = limitConcurrency({ concurrency: 2, queueLimit: 40, retryAfterSeconds: 5 });

/**
 * Queues large photo uploads and runs all other requests at once.
 * @throws AppError server_busy
 */
export function limitUploads<Result>(
  request: Request,
  own: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!own.session || !isPhotoUpload(request) || length <= SMALL_PHOTO_BYTES) return work();
  return limited(() => work().finally(() => releaseBytes(length)));
}

/**
 * Parses a form. Bytes that are not UTF-8 become U+FFFD, which no field accepts (`shared/text.ts`).
 * @throws AppError malformed_request
 */
export async function readForm(body: Uint8Array<ArrayBuffer> | null, type: string | undefined): Promise<FormData> {
  if (!body) return new FormData();
  if (!isForm(type)) throw new AppError("malformed_request");
  return new Response(body, { headers: { "content-type": type! } }).formData().catch(() => {
    throw new AppError("malformed_request");
  });
}
