/** Lengths of encrypted responses, which everybody on the same network can observe. */
import { createHmac, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip, gzipSync, type ZlibOptions } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { acceptedEncodings } from "./content-negotiation.ts";
import { bodyOf } from "./known-body.ts";
import type { ShellEnv } from "./shell.ts";

const compress = promisify<Buffer, ZlibOptions, Buffer<ArrayBuffer>>(gzip);

/** Responses whose length depends on the viewer. */
const PADDED_TYPE = /^(text\/(html|x-script)|application\/(problem\+)?json)/;
/**
 * Steps to which a compressed response is rounded up, in bytes. Much more than the viewer's own items add: a list on the
 * profile, a line and a panel on the feed, and a few flags on other pages.
 */
const STEPS: [path: RegExp, bytes: number][] = [
  [/^(\/perfil|\/api\/profile)/, 8_192],
  [/^\/api\//, 256],
];
const OTHER_PAGES = 4_096;

/** Flag of an extra field and its position (RFC 1952, section 2.3.1). */
const EXTRA_FLAG = 4;
const HEADER_BYTES = 10;
/** Length of the whole field and of its only subfield, and the subfield's name. */
const FIELD_HEAD_BYTES = 6;

/** A private page has one reader: level 2 takes a fifth of level 6's time for an eighth more bytes. */
const LEVEL = 2;
const SHORT_BYTES = 1_000;

/** Compressing a short text on this thread is cheaper than sending it to another one. */
const gzipFile = (text: Buffer): Promise<Buffer<ArrayBuffer>> | Buffer<ArrayBuffer> =>
  text.length > SHORT_BYTES ? compress(text, { level: LEVEL }) : gzipSync(text, { level: LEVEL });

/**
 * Lengthens a gzip file by an extra field, which every decoder skips.
 * @param bytes from 6 to 65,537
 */
function withExtraField(file: Buffer, bytes: number): Buffer<ArrayBuffer> {
  const field = Buffer.alloc(bytes);
  field.writeUInt16LE(bytes - 2, 0);
  field.write("LP", 2, "latin1");
  field.writeUInt16LE(bytes - FIELD_HEAD_BYTES, 4);
  const head = Buffer.from(file.subarray(0, HEADER_BYTES));
  head[3]! |= EXTRA_FLAG;
  return Buffer.concat([head, field, file.subarray(HEADER_BYTES)]);
}

/**
 * Compresses and pads responses of signed-in users, so that their length does not reveal the authors of texts
 * (docs/decisions/0017).
 *
 * The offset of the steps is a secret of session and path. An attacker who can lengthen a page, for example by a reply,
 * cannot move it to an edge.
 */
export function padResponses(): MiddlewareHandler<ShellEnv> {
  const key = randomBytes(32);
  return async (c, next) => {
    await next();
    const session = c.get("own")?.session;
    const { res } = c;
    if (!session || !PADDED_TYPE.test(res.headers.get("content-type") ?? "")) return;
    // A download is a stream; its length reveals only the length of the account's data.
    if (res.headers.has("content-disposition") || res.headers.has("content-encoding")) return;
    // Reading the body replaces the headers object.
    const { headers } = res;
    // Another middleware or a proxy would compress without padding, or remove the padding.
    headers.append("cache-control", "no-transform");
    headers.append("vary", "Accept-Encoding");
    if (!acceptedEncodings(c.req.header("accept-encoding")).has("gzip")) return;
    const file = await gzipFile(await bodyOf(res));
    const step = STEPS.find(([path]) => path.test(c.req.path))?.[1] ?? OTHER_PAGES;
    const offset = createHmac("sha256", key).update(`${session.id} ${c.req.path}`).digest().readUInt32BE() % step;
    const least = file.length + FIELD_HEAD_BYTES;
    const length = Math.ceil((least + offset) / step) * step;
    headers.set("content-encoding", "gzip");
    headers.set("content-length", String(length));
    const body = withExtraField(file, length - file.length);
    // Otherwise Hono copies the headers of both responses and the body.
    c.res = undefined;
    c.res = new Response(body, { status: res.status, headers });
  };
}
