import { randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "#test/raw-request.ts";
import { expectHeaders } from "#test/response-headers.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import type { Context } from "../context.ts";

const get = async () => {
  throw new TypeError("a secret of the storage");
};
const app = setUpTestApp({ overrides: { storage: { get } as unknown as Context["storage"] } });

const ask = (path: string, headers?: Record<string, string>, method?: string) => rawRequest(app, path, headers, method);

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
  ])("responds to Accept-Encoding '%s' with the encoding %s", async (accepts, encoding) => {
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

  test("responds to HEAD without a body, also with a query", async () => {
    const head = await ask(script, {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, String(plain.length), 0]);
    expect((await ask(`${script}?v=2`)).body.equals(plain)).toBe(true);
  });

  test("refuses other methods, other spellings of the path and files outside of its folder", async () => {
    expect((await ask(script, { origin: app.url }, "POST")).status).toBeGreaterThanOrEqual(400);
    const others = "/assets/..%2f..%2fserver%2findex.js /build/server/index.js /package.json /assets/ /assets".split(
      " ",
    );
    for (const path of [`/${script}`, `${script}/`, `${script}.br`, `${script}.map`, ...others])
      expect((await ask(path)).status, path).toBe(404);
  });

  test("gets the right type, a cache time of one year and no cookie if a page names it; fonts stay uncompressed", async () => {
    const { text } = await app.page("/");
    const files = [...new Set([...text.matchAll(/\/assets\/[\w.-]+\.(?:js|css|woff2)/g)].map(([file]) => file))];
    for (const [ending, type] of [
      ["js", "text/javascript; charset=utf-8"],
      ["css", "text/css; charset=utf-8"],
      ["woff2", "font/woff2"],
    ] as const) {
      const own = files.filter((file) => file.endsWith(ending));
      expect(own.length).toBeGreaterThan(0);
      for (const file of own) {
        const { status, headers } = await ask(file, { "accept-encoding": "br" });
        expectHeaders({ headers: new Headers(headers), text: "" }, file);
        expect(status).toBe(200);
        expect(headers["content-type"]).toBe(type);
        expect(headers["content-encoding"]).toBe(ending === "woff2" ? undefined : "br");
        expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
        expect(headers["set-cookie"]).toBeUndefined();
      }
    }
  });

  test("gets compressed outside of assets too, with a cache time of 1 h, or none for the service worker", async () => {
    // So that a fault in it can be corrected.
    const worker = await ask("/sw.js");
    expect(worker.headers["content-type"]).toMatch(/^text\/javascript/);
    expect(worker.headers["cache-control"]).toBe("no-cache");
    const { headers, body } = await ask("/favicon.svg", { "accept-encoding": "br" });
    expect(headers["content-type"]).toMatch(/^image\/svg\+xml/);
    expect(headers["cache-control"]).toBe("public, max-age=3600");
    expect(brotliDecompressSync(body).toString()).toContain("<svg");
  });
});

test("a photo gets 503 with Retry-After if the storage fails, and the log only the kind of error", async () => {
  const { status, headers } = await ask(`/avatars/${randomUUID()}-${randomUUID()}.webp`);
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect(app.log.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: "storage_unavailable", reason: "TypeError" }),
  );
  expect(app.log.join()).not.toContain("secret");
});
