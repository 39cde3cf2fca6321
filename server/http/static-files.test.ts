import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { expectHeaders } from "#test/response-headers.ts";
import { setUpTestApp } from "#test/suite-setup.ts";

const app = setUpTestApp();

type Got = { status: number; headers: Record<string, string>; body: Buffer };

/** Sends a request without the headers and decoding of `fetch`. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<Got>((done, fail) => {
    const sent = request(`${app.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        done({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", fail);
    sent.end();
  });

describe("file of the build", () => {
  let script: string;
  let plain: Buffer;
  beforeAll(async () => {
    const { text } = await app.page("/");
    [script] = text.match(/\/assets\/[\w.-]+\.js/)!;
    plain = (await ask(script)).body;
    expect(plain.length).toBeGreaterThan(0);
  });

  test.each([
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["BR;q=0.5", "br"],
    ["br;q=0, gzip;q=1.0", "gzip"],
    ["gzip;q=0.000, br; q=0", undefined],
    ["zebra, embrace", undefined],
    ["identity", undefined],
  ])("answers Accept-Encoding '%s' with the encoding %s", async (accepts, encoding) => {
    const { status, headers, body } = await ask(script, { "accept-encoding": accepts });
    expect(status).toBe(200);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers.vary).toBe("Accept-Encoding");
    const opened = encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body;
    expect(opened.equals(plain)).toBe(true);
    expectHeaders({ headers: new Headers(headers), text: "" }, script);
  });

  test("responds 304 to a matching If-None-Match, also weak or in a list", async () => {
    const { headers } = await ask(script, { "accept-encoding": "br" });
    const other = await ask(script, { "accept-encoding": "gzip" });
    expect(other.headers.etag).not.toBe(headers.etag);
    for (const kept of [headers.etag!, `W/${headers.etag}`, `"another", ${headers.etag}`, "*"]) {
      const again = await ask(script, { "accept-encoding": "br", "if-none-match": kept });
      expect([kept, again.status, again.body.length]).toEqual([kept, 304, 0]);
      expect(again.headers.etag).toBe(headers.etag);
      expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
    }
    for (const stale of [other.headers.etag!, '"another"', ""])
      expect((await ask(script, { "accept-encoding": "br", "if-none-match": stale })).status).toBe(200);
  });

  test("answers HEAD without a body and ignores a query", async () => {
    const head = await ask(script, {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, String(plain.length), 0]);
    expect((await ask(`${script}?v=2`)).body.equals(plain)).toBe(true);
  });

  test("refuses other methods and other spellings of the path", async () => {
    expect((await ask(script, { origin: app.url }, "POST")).status).toBeGreaterThanOrEqual(400);
    for (const spelling of [`/${script}`, `${script}/`, `${script}.br`])
      expect((await ask(spelling)).status, spelling).toBe(404);
  });

  test("compresses files outside of assets too, with a cache time of 1 h", async () => {
    const { headers, body } = await ask("/favicon.svg", { "accept-encoding": "br" });
    expect(headers["cache-control"]).toBe("public, max-age=3600");
    expect(brotliDecompressSync(body).toString()).toContain("<svg");
  });

  test("sends a font uncompressed", async () => {
    const { text } = await app.page("/");
    const [font] = text.match(/\/assets\/[\w.-]+\.woff2/)!;
    const { headers } = await ask(font, { "accept-encoding": "br" });
    expect([headers["content-type"], headers["content-encoding"], headers.vary]).toEqual([
      "font/woff2",
      undefined,
      undefined,
    ]);
  });
});
