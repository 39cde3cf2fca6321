/** The delay of one client's requests while another client floods the real server (docs/decisions/0007). */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { startPrivateServer } from "../e2e/server.ts";

let server: Awaited<ReturnType<typeof startPrivateServer>>;

beforeAll(async () => {
  server = await startPrivateServer(inject("postgres").admin);
});
afterAll(() => server.close());

type Asked = { path: string; body?: string; status: number };

/** Sends a request. @returns the response time in milliseconds */
async function ask(agent: Agent, address: string, browser: string, { path, body, status }: Asked): Promise<number> {
  const began = performance.now();
  const headers = {
    "x-forwarded-for": address,
    "user-agent": browser,
    ...(body !== undefined && { origin: server.url, "content-type": "application/json" }),
  };
  const sent = request(server.url + path, { agent, headers, method: body === undefined ? "GET" : "POST" }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  if (response.statusCode !== status) throw new Error(`${path}: ${response.statusCode}`);
  return performance.now() - began;
}

/** Returns the 95th percentile of the response times of 20 sequential requests. */
async function p95(address: string, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let at = 0; at < 20; at++) took.push(await ask(agent, address, "a browser", { path, status: 200 }));
  agent.destroy();
  return took.sort((a, b) => a - b)[18]!;
}

const FLOODER = "198.51.100.1";

/** Runs `work` while one IP address sends requests over 50 connections without a pause. */
async function whileFlooded<Result>(asked: Asked, work: () => Promise<Result>): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  let going = true;
  let answered = 0;
  const loops = Array.from({ length: 50 }, async () => {
    while (going) {
      await ask(agent, FLOODER, "a program", asked);
      answered++;
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(50);
  try {
    return await work();
  } finally {
    going = false;
    await Promise.all(loops);
    agent.destroy();
  }
}

/** Time of one render, in milliseconds. A cached page is faster, but it cannot interrupt a render. */
const RENDER_MS = 10;
const UNCACHED = { path: "/buscar?q=dormir", status: 200 };
/** A request that is refused before it counts for a limit. */
const REFUSED = { path: "/api/session", body: JSON.stringify({ password: "x".repeat(60_000) }), status: 422 };

test.each([
  ["a page during renders", UNCACHED, UNCACHED.path, "203.0.113.9", 5],
  ["a page of another browser behind the same IP address", UNCACHED, UNCACHED.path, FLOODER, 10],
  ["a page during requests to the API", { path: "/api/consultations", status: 200 }, "/", "203.0.113.9", 5],
  ["a page during requests for /ayuda", { path: "/ayuda", status: 200 }, "/", "203.0.113.9", 20],
  ["the help page during refused requests", REFUSED, "/ayuda", "203.0.113.9", 10],
] as const)("limits the delay of %s over 50 connections of one IP address", async (_, flood, path, address, times) => {
  await p95(address, path); // warm
  // Takes the best of 10 measurements, because other work on the machine can only slow them down.
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && best > times; tries++) {
    const quiet = Math.max(await p95(address, path), RENDER_MS);
    best = Math.min(best, (await whileFlooded(flood, () => p95(address, path))) / quiet);
  }
  expect(best).toBeLessThanOrEqual(times);
});
