import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SECOND } from "#shared/time.ts";
import { requestSessionRenewal } from "./renewal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Renews a session while `respond` answers. @returns when each request was sent, in milliseconds, and the result */
async function renew(respond: (signal: AbortSignal) => Promise<Response>) {
  const start = Date.now();
  const sent: number[] = [];
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    sent.push(Date.now() - start);
    return respond(signal);
  });
  const renewed = requestSessionRenewal(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  return { sent, renewed: await renewed };
}

test.each([502, 503, 504, "no response"])(
  "retries a renewal that failed with %s after 200 ms, doubling the delay, for 30 s",
  async (failure) => {
    const { sent, renewed } = await renew(async () => {
      if (typeof failure === "string") throw new TypeError(failure);
      return new Response("", { status: failure });
    });
    expect(sent).toEqual([0, 200, 600, 1400, 3000, 6200, 12_600, 25_400]);
    expect(renewed).toBe(false);
  },
);

test("retries a renewal without a response after 10 s", async () => {
  const { sent } = await renew((signal) => new Promise((_, fail) => signal.addEventListener("abort", fail)));
  expect(sent).toEqual([0, 10_200, 20_600]);
});

test.each([200, 401])("sends a renewal with the status %i once", async (status) => {
  expect(await renew(async () => new Response("", { status }))).toEqual({ sent: [0], renewed: true });
});
