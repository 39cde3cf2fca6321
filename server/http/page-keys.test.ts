/** Requests that try to change the page that the cache sends to the next visitor (docs/decisions/0006). */
import { beforeAll, describe, expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import { exchange } from "#test/raw-request.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { openThread } from "#test/threads.ts";

const CANARY = "canario-7f3a";
const NOW = new Date("2026-03-02T15:04:59.000Z");

const app = setUpTestApp({ pageCache: true });

type Hostile = { method?: string; target?: (path: string) => string; headers?: string[]; version?: string };
const send = (path: string, { method = "GET", target = (same) => same, headers = [], version = "1.1" }: Hostile) => {
  const own = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(app.url).host}`];
  const lines = [`${method} ${target(path)} HTTP/${version}`, ...own, ...headers, "Connection: close"];
  return exchange(app.url, `${lines.join("\r\n")}\r\n\r\n`);
};

const header = (...headers: string[]): Hostile => ({ headers });
const accepting = (encodings: string) => header(`Accept-Encoding: ${encodings}`);
const cookie = (value: string) => header(`Cookie: ${value}`);
const at = (target: (path: string) => string): Hostile => ({ target });
const query = (given: string) => at((path) => `${path}?${given}`);

const PARAMETERS = [
  "orden=votadas",
  CANARY,
  `utm_source=${CANARY}`,
  "orden=votadas&orden=recientes",
  `orden=${CANARY}`,
  "orden=%76otadas",
  "orden=votadas%0D%0AX-Canary:%20canario-7f3a",
  "orden=%ff%fe",
  "__proto__=votadas",
  `cursor=${CANARY}`,
  `_routes=${CANARY}`,
  `x=${"A".repeat(12_000)}`,
  Array.from({ length: 1_000 }, (_, n) => `p${n}=${n}`).join("&"),
];

const REQUESTS: [what: string, Hostile][] = [
  ...PARAMETERS.map((given): [string, Hostile] => [`?${given.slice(0, 60)}`, query(given)]),
  ["a host of another site", header(`Host: ${CANARY}.example`)],
  ["two hosts", header("Host: localhost", `Host: ${CANARY}.example`)],
  ...[
    `X-Forwarded-Host: ${CANARY}.example`,
    "X-Forwarded-Proto: https",
    `X-Original-URL: /${CANARY}`,
    "X-HTTP-Method-Override: POST",
    `Origin: https://${CANARY}.example`,
    `Referer: https://${CANARY}.example/`,
    "Accept: application/json",
    "Authorization: Bearer canario-7f3a",
    'If-None-Match: "canario"',
    "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
    "Expect: 100-continue",
    "X-Remix-Response: yes",
    "Content-Type: application/x-www-form-urlencoded",
  ].map((line): [string, Hostile] => [line, header(line)]),
  ["a body", header(`Content-Length: 5\r\nConnection: close\r\n\r\nx=y`)],
  ["smuggled lengths", header("Content-Length: 3", "Transfer-Encoding: chunked")],
  ["a header over several lines", header("X-A: b", ` ${CANARY}`)],
  ...["br", "*;q=0", "br;q=0, gzip;q=0, identity;q=0", `${CANARY}, br`, "x".repeat(2_000)].map(
    (encodings): [string, Hostile] => [`Accept-Encoding: ${encodings.slice(0, 40)}`, accepting(encodings)],
  ),
  ...[
    "sid=canario",
    "__Host-sid=canario",
    "notice=%7B%22text%22%3A%22canario-7f3a%22%7D",
    "theme=dark",
    `theme=${CANARY}`,
    'theme=dark" data-canary="1',
    "theme=light; theme=dark",
    "\xff\xfe=\x80",
    `${CANARY}=${"c".repeat(4_000)}`,
  ].map((value): [string, Hostile] => [`Cookie: ${value.slice(0, 60)}`, cookie(value)]),
  ["two cookie headers", header("Cookie: theme=dark", "Cookie: sid=canario")],
  ["HEAD", { method: "HEAD" }],
  ["HEAD with a known version", { method: "HEAD", headers: ["If-None-Match: *"] }],
  ...["POST", "DELETE", "OPTIONS", "get"].map((method): [string, Hostile] => [`method ${method}`, { method }]),
  ["HTTP/1.0", { version: "1.0" }],
  ["an absolute target", at((path) => `${app.url}${path}`)],
  ["an absolute target of another site", at((path) => `http://${CANARY}.example${path}`)],
  ["a target without a scheme", at((path) => `//${CANARY}.example${path}`)],
  ["dots", at((path) => `/${CANARY}/..${path}`)],
  ["an encoded letter", at((path) => path.replace("c", "%63"))],
  ["the suffix of data twice", at((path) => `${path}.data.data`)],
  ["data of chosen routes", at((path) => `${path === "/" ? "/_" : path}.data?_routes=root`)],
  ["bytes outside of ASCII", at((path) => `${path}?\xff\xfe`)],
];

const undated = (response: Buffer) => response.toString("latin1").replace(/\r\ndate: [^\r]*/i, "");

const CLEAN = ["identity", "br", "gzip"];
/** Returns a page as visitors get it, in every encoding. */
const cleanPage = async (path: string) =>
  (await Promise.all(CLEAN.map(async (encoding) => undated(await send(path, accepting(encoding)))))).join("\n");

describe("page after a hostile request", () => {
  const clean = new Map<string, string>();
  /** Makes all cached pages expire. The clock moves back 1 ms, within the minute that pages show. */
  let milliseconds = 0;
  const expireAll = () => app.setNow(new Date(NOW.getTime() - ++milliseconds));
  beforeAll(async () => {
    const { consultation } = await openThread(app);
    expireAll();
    for (const path of ["/", `/consulta/${consultation}`, "/_.data", "/ayuda"]) clean.set(path, await cleanPage(path));
    for (const page of clean.values()) expect(page.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(CLEAN.length);
    for (const page of clean.values()) expect(page.match(/\r\netag: W/g)).toHaveLength(CLEAN.length);
  });

  // Each request is sent to one page in turn, and in the full run to all pages.
  let turn = 0;
  test.each(REQUESTS)("equals the page before: %s", async (_what, hostile) => {
    const all = [...clean];
    for (const [path, expected] of FULL_RUN ? all : [all[turn++ % all.length]!]) {
      expireAll();
      await send(path, hostile);
      expect((await cleanPage(path)) === expected, `${path} after the hostile request`).toBe(true);
    }
    // Both share a render if they begin together.
    const [path, expected] = all[turn % all.length]!;
    expireAll();
    const [, together] = await Promise.all([send(path, hostile), cleanPage(path)]);
    expect(together === expected, `${path} beside the hostile request`).toBe(true);
  });
});
