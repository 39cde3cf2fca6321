import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#test/app.ts";
import { ConfigError } from "./config.ts";
import { closeServer, httpServer, listen, TIMEOUTS } from "./listen.ts";

const pause = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds));

/**
 * Sends `start`, then one character of `next` per interval, repeating the last.
 * @returns the response and its duration in seconds
 */
function drip(port: number, start: string, next: string, every = 400) {
  const began = performance.now();
  const socket = connect(port, "127.0.0.1");
  let told = "";
  const done = new Promise<{ told: string; seconds: number }>((end) => {
    socket.on("data", (data) => {
      told += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => end({ told, seconds: (performance.now() - began) / 1000 }));
  });
  socket.on("connect", () => {
    if (start) socket.write(start);
    let at = 0;
    const timer = next ? setInterval(() => socket.write(next[Math.min(at++, next.length - 1)]!), every) : undefined;
    socket.on("close", () => clearInterval(timer));
  });
  return { socket, done };
}

const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

describe("slow clients", () => {
  let app: TestApp;
  let port: number;
  beforeAll(async () => {
    app = await openTestApp();
    port = Number(new URL(app.url).port);
  });
  afterAll(async () => {
    await app.close();
    // After the end of all requests, the log contains no error.
    expect(app.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  test("get 408 within about 6 s while other clients get responses at once", async () => {
    const kinds: [start: string, next: string][] = [
      ["GET / HTTP/1.1\r\nHost: x\r\n", "X"],
      ["GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ", "a"],
      ["", "GET /aaa"],
      ["", ""],
      ["POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n", "x"],
    ];
    const slow = Array.from({ length: 300 }, (_, i) => drip(port, ...kinds[i % kinds.length]!));
    for (const { socket } of slow) open.add(socket);
    let ended = false;
    const all = Promise.all(slow.map(({ done }) => done)).finally(() => {
      ended = true;
    });
    await pause(300);
    const waits: number[] = [];
    while (!ended) {
      const asked = performance.now();
      const answer = await fetch(`${app.url}/healthz`, { signal: AbortSignal.timeout(3000) });
      expect(answer.status).toBe(200);
      waits.push(performance.now() - asked);
      await pause(100);
    }
    const outcomes = await all;
    // 5 s for the head of a request, checked once a second, with 0.5 s for a busy machine.
    expect(Math.max(...outcomes.map(({ seconds }) => seconds))).toBeLessThan(7.5);
    expect(Math.min(...outcomes.map(({ seconds }) => seconds))).toBeGreaterThan(4);
    for (const { told } of outcomes) expect(told === "" || told.startsWith("HTTP/1.1 408 ")).toBe(true);
    expect(outcomes.some(({ told }) => told.startsWith("HTTP/1.1 408 "))).toBe(true);
    expect(waits.length).toBeGreaterThan(20);
    expect(waits.sort((a, b) => a - b).at(Math.floor(waits.length * 0.9))).toBeLessThan(1000);
    expect((await app.call("GET", "/consultations")).status).toBe(200);
  });

  test("log no error when they disconnect before the response", async () => {
    const { socket, done } = drip(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "");
    await pause(150);
    socket.destroy();
    await done;
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });
});

describe("httpServer", () => {
  test("allows 20 s for a request, 5 s for its headers, checked every second, and ends a longer one", async () => {
    const server = httpServer(async (request) => {
      await request.text().catch(() => {});
      return new Response("ok");
    });
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, TIMEOUTS.check]).toEqual([5_000, 20_000, 10_000, 1_000]);
    server.requestTimeout = 1_000;
    server.headersTimeout = 1_000;
    const port = await listen(server, 0, "127.0.0.1");
    const { done } = drip(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n", "x", 100);
    const { told, seconds } = await done;
    expect(told).toMatch(/^HTTP\/1\.1 408 |^$/);
    expect(seconds).toBeLessThan(4);
    await closeServer(server);
  });

  test("throws ConfigError if the port is taken", async () => {
    const first = httpServer(async () => new Response("ok"));
    const port = await listen(first, 0, "127.0.0.1");
    const second = httpServer(async () => new Response("ok"));
    await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(ConfigError);
    await expect(listen(second, port, "127.0.0.1")).rejects.toThrow(`PORT ${port} is in use`);
    await closeServer(first);
  });

  test("finishes running requests and closes idle connections when it closes", async () => {
    const server = httpServer(async (request) => {
      if (new URL(request.url).pathname === "/slow") await pause(600);
      return new Response("all of it");
    });
    const port = await listen(server, 0, "127.0.0.1");
    const idle = drip(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "");
    await pause(100);
    const underWay = fetch(`http://127.0.0.1:${port}/slow`);
    await pause(100);
    const began = performance.now();
    const closed = closeServer(server);
    expect((await idle.done).told).toContain("all of it");
    expect(performance.now() - began).toBeLessThan(500);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    expect(await (await underWay).text()).toBe("all of it");
    await closed;
    expect(performance.now() - began).toBeLessThan(TIMEOUTS.closing + 1_000);
  });

  test("waits at most 3 s for running requests when it closes", async () => {
    const server = httpServer(() => new Promise(() => {}));
    const port = await listen(server, 0, "127.0.0.1");
    const stuck = drip(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "");
    await pause(100);
    const began = performance.now();
    await closeServer(server);
    await stuck.done;
    expect(performance.now() - began).toBeGreaterThan(TIMEOUTS.closing - 100);
    expect(performance.now() - began).toBeLessThan(TIMEOUTS.closing + 1_500);
  });
});

test("errors of the HTTP server after the start are reported and end no process", async () => {
  const told: string[] = [];
  const server = httpServer(async (request) => {
    if (request.url.endsWith("/fault")) throw new Error("an answer that cannot be made");
    return new Response("hola");
  });
  const port = await listen(server, 0, "127.0.0.1", (error) => told.push(error.message));
  // As if the system had no file descriptor left for a connection.
  for (const message of ["accept EMFILE", "accept EMFILE again"]) server.emit("error", new Error(message));
  expect(told).toEqual(["accept EMFILE", "accept EMFILE again"]);
  for (let tries = 0; tries < 2; tries++) {
    const answer = fetch(`http://127.0.0.1:${port}/fault`).then(({ status }) => status);
    expect([0, 500]).toContain(await answer.catch(() => 0));
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hola");
  }
  await closeServer(server);
});
