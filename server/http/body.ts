import { isUtf8 } from "node:buffer";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { limitConcurrency, serialisePerKey } from "../concurrency.ts";
import type { Request as OwnRequest } from "../sessions/request.ts";
import { SAFE_METHODS } from "./internal-request.ts";

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;
/** Where a photo is uploaded: the operation, and the page's action as a document or by the router. */
const PHOTO_PATHS = /^(\/api\/profile\/photo|\/perfil\/foto(\.data)?)$/;
/**
 * How much of a photo that is too large is read and dropped: a browser shows our response only once its request was read.
 */
const PHOTO_DRAIN_BYTES = 45 * 1024 * 1024;

/** How much a request may send, how much more is read only to be dropped, and the error beyond that. */
type BodyLimit = { bytes: number; drainBytes: number; tooLarge: ErrorCode };

/** A webhook request of a payment provider. */
export const WEBHOOK: BodyLimit = { bytes: LIMITS.webhookBytes, drainBytes: 0, tooLarge: "payload_too_large" };
const ORDINARY: BodyLimit = { bytes: LIMITS.bodyBytes, drainBytes: 0, tooLarge: "payload_too_large" };

export const isForm = (type: string | undefined) => FORM_TYPES.test(type ?? "");

/** Whether a request uploads a photo. */
export const isPhotoUpload = (request: Request) =>
  request.method === "POST" &&
  PHOTO_PATHS.test(new URL(request.url).pathname) &&
  MULTIPART.test(request.headers.get("content-type") ?? "");

/** What a request may send. A photo is larger than anything else, so it is accepted only from signed-in users. */
export function bodyLimit(request: Request, own: OwnRequest): BodyLimit {
  if (!isPhotoUpload(request)) return ORDINARY;
  if (!own.session) return { ...ORDINARY, tooLarge: "sign_in_to_upload" };
  const forPage = !new URL(request.url).pathname.startsWith("/api/");
  return {
    bytes: LIMITS.photoBytes + LIMITS.photoFormBytes,
    drainBytes: forPage ? PHOTO_DRAIN_BYTES : 0,
    tooLarge: "file_too_large",
  };
}

/** A body up to this declared length is read at once, in bytes. */
const SMALL_BODY_BYTES = 64 * 1024;
/** Bytes of bodies read since the last garbage collection. */
let uncollected = 0;

/**
 * The body of a request, read whole within the limit; null where it is empty or missing. @throws AppError the limit's error
 */
export async function readBody(request: Request, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer> | null> {
  if (SAFE_METHODS.has(request.method)) return null;
  const most = limit.bytes + limit.drainBytes;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > most) throw new AppError(limit.tooLarge);
  if (length <= SMALL_BODY_BYTES) {
    // The server reads no more than the declared length, and without a stream.
    const body = await request.arrayBuffer().catch(() => {
      throw new AppError("malformed_request");
    });
    return body.byteLength ? new Uint8Array(body) : null;
  }
  if (!request.body) return null;
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > most) throw new AppError(limit.tooLarge);
    if (size > limit.bytes) chunks = [];
    else chunks.push(chunk);
  }
  uncollected += size;
  if (size > limit.bytes) throw new AppError(limit.tooLarge);
  return size ? Buffer.concat(chunks) : null;
}

/**
 * Refuses what is not UTF-8: decoding it would put replacement characters into a user's text.
 * @throws AppError malformed_request
 */
export function requireUtf8(text: Uint8Array): void {
  if (!isUtf8(text)) throw new AppError("malformed_request");
}

// The bytes of a photo are outside V8's heap: it lets 50 MB of them pile up before it collects garbage.
setFlagsFromString("--expose-gc");
const runGarbageCollection = runInNewContext("gc") as () => void;
/** A collection blocks the thread for some hundredths of a second: it runs only after so many bytes. */
const UNCOLLECTED_BYTES = 8 * 1024 * 1024;

function collectGarbage(): void {
  if (uncollected < UNCOLLECTED_BYTES) return;
  uncollected = 0;
  runGarbageCollection();
}

/** Our own page sends less, since it crops photos in the browser to 1,024 x 1,024 pixels. */
const SMALL_PHOTO_BYTES = 1024 * 1024;
/** Two large photos at once, with the earlier ones collected, keep the server below 300 MB (test/memory.test.ts). */
const limited = limitConcurrency({ concurrency: 2, queueLimit: 40, retryAfterSeconds: 5 });
/** Uploads of one account run one after another: a slow client takes one slot, not all. */
const oneAtATime = serialisePerKey({ queueLimit: 12, retryAfterSeconds: 5 });

/** Reads and handles a large photo upload when it is its turn; any other request at once. @throws AppError busy */
export function limitUploads<Result>(request: Request, own: OwnRequest, work: () => Promise<Result>): Promise<Result> {
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!own.session || !isPhotoUpload(request) || length <= SMALL_PHOTO_BYTES) return work();
  return oneAtATime(own.session.viewer.id, () => limited(() => work().finally(collectGarbage)));
}

/** A file backed by the request body. Only its size and its bytes are read, and neither copies anything. */
class FileInBody extends File {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([], "file");
    this.#bytes = bytes;
    Object.defineProperty(this, "size", { value: bytes.length });
  }
  override bytes = () => Promise.resolve(this.#bytes);
  override arrayBuffer = () => Promise.resolve(this.#bytes.slice().buffer);
}

const BOUNDARY = /^[^;]+;\s*boundary=(?:"([^"]+)"|([^\s;,]+))/i;
/** The boundary that a content type names, if it names one. */
function boundaryOf(type: string): string | undefined {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? [];
  return quoted ?? bare;
}

const ONE_FILE = /^content-disposition: form-data; name="file"; filename="[^"\r\n]*"(\r\ncontent-type: [^\r\n]*)?$/i;

/** The form of a photo, which has one file and nothing else; null for any other form. */
function singleFile(body: Uint8Array<ArrayBuffer>, type: string): FormData | null {
  const boundary = boundaryOf(type);
  if (!boundary) return null;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const open = `--${boundary}\r\n`;
  const headEnd = bytes.indexOf("\r\n\r\n");
  const end = bytes.indexOf(`\r\n--${boundary}`, headEnd);
  if (headEnd < 0 || end < headEnd + 4 || bytes.subarray(0, open.length).toString("latin1") !== open) return null;
  if (!ONE_FILE.test(bytes.subarray(open.length, headEnd).toString("latin1"))) return null;
  const rest = bytes.subarray(end + 4 + boundary.length).toString("latin1");
  if (rest !== "--" && rest !== "--\r\n") return null;
  const form = new FormData();
  form.append("file", new FileInBody(bytes.subarray(headEnd + 4, end)));
  return form;
}

/** The decoded bytes of a part of a URL-encoded form. */
const unescaped = (part: string) =>
  Buffer.from(
    part.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/**
 * Marks each value of a URL-encoded form that is not UTF-8 with a NUL: validation refuses it beside its field, and the page
 * shows the other fields as they were typed.
 * @throws AppError malformed_request for a name that is not UTF-8
 */
function markUnreadable(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const pairs = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1").split("&");
  const marked = pairs.map((pair) => {
    if (isUtf8(unescaped(pair))) return pair;
    requireUtf8(unescaped(pair.replace(/=.*/s, "")));
    return `${pair}%00`;
  });
  return Buffer.from(marked.join("&"), "latin1");
}

/** The header that makes a part a file, as browsers write it. */
const FILE_HEADER = /^content-disposition:\s*form-data;\s*name="[^"\r\n]*";\s*filename\*?=/i;

/** Whether a form parser takes a part for a file, whatever other headers it has. */
function isFilePart(head: string): boolean {
  const [only, ...others] = head.split("\r\n").filter((header) => /^content-disposition:/i.test(header));
  return only !== undefined && !others.length && FILE_HEADER.test(only);
}

/**
 * The parts of a form that are text: all but the contents of files.
 * @throws AppError malformed_request for a part with a content-transfer-encoding, which no browser sends and which would be
 * decoded later
 */
function* textParts(body: Uint8Array<ArrayBuffer>, type: string): Generator<Uint8Array> {
  const boundary = boundaryOf(type);
  if (!boundary) throw new AppError("malformed_request");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = `--${boundary}`;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(delimiter, at);
    const part = bytes.subarray(at, next < 0 ? bytes.length : next);
    const headEnd = part.indexOf("\r\n\r\n");
    const head = part.subarray(0, Math.max(headEnd, 0)).toString("latin1");
    if (/^content-transfer-encoding:/im.test(head)) throw new AppError("malformed_request");
    yield isFilePart(head) ? part.subarray(0, headEnd) : part;
    at = next < 0 ? bytes.length : next + delimiter.length;
  }
}

/** Parses a form. It is read once, here: actions get it from the page's context. @throws AppError malformed_request */
export async function readForm(body: Uint8Array<ArrayBuffer> | null, type: string | undefined): Promise<FormData> {
  if (!body) return new FormData();
  if (!isForm(type)) throw new AppError("malformed_request");
  const isMultipart = MULTIPART.test(type!);
  if (isMultipart) {
    const lone = singleFile(body, type!);
    if (lone) return lone;
    for (const part of textParts(body, type!)) requireUtf8(part);
  }
  return new Response(isMultipart ? body : markUnreadable(body), { headers: { "content-type": type! } })
    .formData()
    .catch(() => {
      throw new AppError("malformed_request");
    });
}
