import { isUtf8 } from "node:buffer";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { fewAtOnce, oneAtATimeEach } from "./few-at-once.ts";
import type { Request as OwnRequest } from "./request.ts";

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;
/** Where a photo comes in: the operation, and the page's action as a document or by the router. */
const PHOTO_PATHS = /^(\/api\/profile\/photo|\/perfil\/foto(\.data)?)$/;
/** How far a page reads on past a photo that is too large: a browser shows our words only once all of it was taken. */
const PHOTO_PATIENCE_BYTES = 45 * 1024 * 1024;

/** How much a request may send, how much more is read only to be thrown away, and what is said beyond that. */
type BodyLimit = { bytes: number; patience: number; beyond: ErrorCode };

/** A webhook request of a payment provider. */
export const WEBHOOK: BodyLimit = { bytes: LIMITS.webhookBytes, patience: 0, beyond: "payload_too_large" };
const ORDINARY: BodyLimit = { bytes: LIMITS.bodyBytes, patience: 0, beyond: "payload_too_large" };

export const isForm = (type: string | undefined) => FORM_TYPES.test(type ?? "");

/** Whether a request brings a photo to where photos are taken. */
export const carriesPhoto = (request: Request) =>
  request.method === "POST" &&
  PHOTO_PATHS.test(new URL(request.url).pathname) &&
  MULTIPART.test(request.headers.get("content-type") ?? "");

/** What a request may send. A photo is larger than anything else, so it is taken from people who are signed in alone. */
export function bodyLimit(request: Request, own: OwnRequest): BodyLimit {
  if (!carriesPhoto(request)) return ORDINARY;
  if (!own.session) return { ...ORDINARY, beyond: "sign_in_to_upload" };
  const forPage = !new URL(request.url).pathname.startsWith("/api/");
  return {
    bytes: LIMITS.photoBytes + LIMITS.photoFormBytes,
    patience: forPage ? PHOTO_PATIENCE_BYTES : 0,
    beyond: "file_too_large",
  };
}

/** Bytes of bodies read since the engine last looked for what is unused. */
let unused = 0;

/** The body of a request, read whole within the limit; null where it is empty or there is none. @throws AppError what the limit says */
export async function boundedBody(request: Request, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!request.body) return null;
  const most = limit.bytes + limit.patience;
  if (Number(request.headers.get("content-length") ?? 0) > most) throw new AppError(limit.beyond);
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > most) throw new AppError(limit.beyond);
    if (size > limit.bytes) chunks = [];
    else chunks.push(chunk);
  }
  unused += size;
  if (size > limit.bytes) throw new AppError(limit.beyond);
  return size ? Buffer.concat(chunks) : null;
}

/**
 * Refuses what is not UTF-8: decoding it would put replacement characters where somebody's words were.
 * @throws AppError malformed_request
 */
export function demandUtf8(text: Uint8Array): void {
  if (!isUtf8(text)) throw new AppError("malformed_request");
}

// The bytes of a photo lie outside the engine's heap: it lets 50 MB of them pile up before it looks for what is unused.
setFlagsFromString("--expose-gc");
const engineCollects = runInNewContext("gc") as () => void;
/** Looking takes the engine some hundredths of a second, in which nobody is answered: so much must have been sent for it. */
const UNUSED_BYTES = 8 * 1024 * 1024;

function collectGarbage(): void {
  if (unused < UNUSED_BYTES) return;
  unused = 0;
  engineCollects();
}

/** What our own page sends is smaller, since it cuts photos out in the browser: 1,024 x 1,024 pixels. */
const SMALL_PHOTO_BYTES = 1024 * 1024;
/** Two large photos at once, and nothing left of the ones before, keep the server below 300 MB (test/memory.test.ts). */
const fewLarge = fewAtOnce({ atOnce: 2, mayWait: 40, retryAfterSeconds: 5 });
/** A person's own come one after another: somebody who sends slowly takes one place, not all. */
const eachInTurn = oneAtATimeEach({ mayWait: 12, retryAfterSeconds: 5 });

/** Reads and handles a request that brings a large photo when its turn has come; any other at once. @throws AppError busy */
export function inTurn<Result>(request: Request, own: OwnRequest, work: () => Promise<Result>): Promise<Result> {
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!own.session || !carriesPhoto(request) || length <= SMALL_PHOTO_BYTES) return work();
  return eachInTurn(own.session.viewer.id, () => fewLarge(() => work().finally(collectGarbage)));
}

/** A file that lies in the body it came in. Only its size and its bytes are asked for, and neither copies anything. */
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
const ONE_FILE = /^content-disposition: form-data; name="file"; filename="[^"\r\n]*"(\r\ncontent-type: [^\r\n]*)?$/i;

/** The form of a photo, which holds a file and nothing else; null where it is anything more or anything less. */
function loneFile(body: Uint8Array<ArrayBuffer>, type: string): FormData | null {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? bare;
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

/** The bytes that an encoded form stands for. No name and no value of it is cut: separators are not part of any character. */
const unescaped = (body: Uint8Array<ArrayBuffer>) =>
  Buffer.from(
    Buffer.from(body.buffer, body.byteOffset, body.length)
      .toString("latin1")
      .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/** The one header that makes a part a file, as browsers write it. */
const FILE_HEADER = /^content-disposition:\s*form-data;\s*name="[^"\r\n]*";\s*filename\*?=/i;

/** Whether a part is a file to whoever reads the form, whatever other headers it has. */
function isFilePart(head: string): boolean {
  const [only, ...others] = head.split("\r\n").filter((header) => /^content-disposition:/i.test(header));
  return only !== undefined && !others.length && FILE_HEADER.test(only);
}

/**
 * The parts of a form that are text: all but the contents of files.
 * @throws AppError malformed_request for a part in an encoding of its own, which no browser sends and which would be undone later
 */
function* textParts(body: Uint8Array<ArrayBuffer>, type: string): Generator<Uint8Array> {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? [];
  if (!quoted && !bare) throw new AppError("malformed_request");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = `--${quoted ?? bare}`;
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

/** A form as it was filled in. It is read once, here: actions get it from the page's context. @throws AppError malformed_request */
export async function readForm(body: Uint8Array<ArrayBuffer> | null, type: string | undefined): Promise<FormData> {
  if (!body) return new FormData();
  if (!isForm(type)) throw new AppError("malformed_request");
  if (MULTIPART.test(type!)) {
    const lone = loneFile(body, type!);
    if (lone) return lone;
    for (const part of textParts(body, type!)) demandUtf8(part);
  } else demandUtf8(unescaped(body));
  return new Response(body, { headers: { "content-type": type! } }).formData().catch(() => {
    throw new AppError("malformed_request");
  });
}
