/** Requests that try to change the page that the cache sends to the next visitor (docs/decisions/0006). */
import { beforeAll, expect, test } from "vitest";
import { exchange } from "#test/raw-request.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { openThread } from "#test/threads.ts";

const CANARY = "canario-7f3a";
const NOW = new Date("2026-03-02T15:04:59.000Z");

const app = setUpTestApp({ pageCache: true });

type Hostile = { method?: string; target?: (path: string) => string; headers?: string[] };
const send = (path: string, { method = "GET", target = (same) => same, headers = [] }: Hostile) => {
  const own = headers.some((line) => line.startsWith("Host:")) ? [] : [`Host: ${new URL(app.url).host}`];
  const lines = [`${method} ${target(path)} HTTP/1.1`, ...own, ...headers, "Connection: close"];
  return exchange(app.url, `${lines.join("\r\n")}\r\n\r\n`);
};

const header = (line: string): [string, Hostile] => [line, { headers: [line] }];
const query = (given: string): [string, Hostile] => [`?${given}`, { target: (path) => `${path}?${given}` }];

const REQUESTS: [what: string, Hostile][] = [
  ...[CANARY, "orden=votadas&orden=recientes", `orden=${CANARY}`, "__proto__=votadas", `cursor=${CANARY}`].map(query),
  query("orden=votadas%0D%0AX-Canary:%20canario-7f3a"),
  ...[
    `Host: ${CANARY}.example`,
    `X-Forwarded-Host: ${CANARY}.example`,
    `X-Original-URL: /${CANARY}`,
    `Origin: https://${CANARY}.example`,
    "Accept: application/json",
    "If-None-Match: *",
    `Accept-Encoding: ${CANARY}, br`,
    "Accept-Encoding: br;q=0, gzip;q=0, identity;q=0",
    "Cookie: notice=%7B%22text%22%3A%22canario-7f3a%22%7D",
    'Cookie: theme=dark" data-canary="1',
    "Cookie: theme=light; theme=dark",
  ].map(header),
  ...["HEAD", "POST", "get"].map((method): [string, Hostile] => [`method ${method}`, { method }]),
  ["an absolute target of another site", { target: (path) => `http://${CANARY}.example${path}` }],
  ["dots", { target: (path) => `/${CANARY}/..${path}` }],
  ["data of chosen routes", { target: (path) => `${path === "/" ? "/_" : path}.data?_routes=root` }],
];

const CLEAN = ["identity", "br", "gzip"];
/** Returns a page as visitors get it, in every encoding, without its date. */
async function cleanPage(path: string): Promise<string> {
  const forms = CLEAN.map((encoding) => send(path, { headers: [`Accept-Encoding: ${encoding}`] }));
  return (await Promise.all(forms)).map((form) => form.toString("latin1").replace(/\r\ndate: [^\r]*/i, "")).join("\n");
}

const clean = new Map<string, string>();
/** Makes all cached pages expire. The clock moves back 1 ms, within the minute that pages show. */
let milliseconds = 0;
const expireAll = () => app.setNow(new Date(NOW.getTime() - ++milliseconds));
beforeAll(async () => {
  const { consultation } = await openThread(app);
  expireAll();
  for (const path of ["/", `/consulta/${consultation}`]) clean.set(path, await cleanPage(path));
  for (const page of clean.values()) expect(page.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(CLEAN.length);
});

test.each(REQUESTS)("a page equals the one before, after or during a hostile request: %s", async (_what, hostile) => {
  for (const [path, expected] of clean) {
    expireAll();
    await send(path, hostile);
    expect((await cleanPage(path)) === expected, `${path} after the hostile request`).toBe(true);
    // Both share a render if they begin together.
    expireAll();
    const [, together] = await Promise.all([send(path, hostile), cleanPage(path)]);
    expect(together === expected, `${path} beside the hostile request`).toBe(true);
  }
});
