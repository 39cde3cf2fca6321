import type { Page, Request } from "@playwright/test";
import { SECOND } from "#shared/time.ts";
import { alive, expect, test } from "./fixtures.ts";

/** Someone signed in whose browser believes that the session ends in so many seconds, and whose clock stands from then on. */
async function beforeTheEnd(someone: (options: { as: "user" }) => Promise<Page>, seconds: number): Promise<Page> {
  const page = await someone({ as: "user" });
  const { expires_at } = await (await page.request.get("/api/session")).json();
  const from = Date.parse(expires_at) - seconds * SECOND;
  await page.clock.install({ time: from - SECOND });
  await page.clock.pauseAt(from);
  await page.goto("/");
  await alive(page);
  return page;
}

/** Answers renewals with these, one after another; the last one stays. Returns how many came. */
async function answerRenewals(page: Page, ...answers: (number | "cut" | "real" | "never")[]): Promise<() => number> {
  let asked = 0;
  await page.route("/api/session/renewal", (route) => {
    const answer = answers[Math.min(asked, answers.length - 1)]!;
    asked++;
    if (answer === "real") return route.continue();
    if (answer === "never") return undefined;
    return answer === "cut"
      ? route.abort()
      : route.fulfill({ status: answer, contentType: "application/json", body: '{"code":"unavailable"}' });
  });
  return () => asked;
}

const signedIn = (page: Page) => page.getByRole("button", { name: /^(Menú de|Abrir el menú)/ });

test("a session is looked at every 30 s and renewed from 90 s before its end", async ({ someone }) => {
  const page = await beforeTheEnd(someone, 119);
  const asked = await answerRenewals(page, "real");
  // 89 s are left after 30; at 90 s no one looks.
  await page.clock.runFor(30 * SECOND - 1);
  expect(asked()).toBe(0);
  const renewed = page.waitForResponse("/api/session/renewal");
  // Then the page asks who is signed in, and until when.
  const asksAgain = page.waitForResponse((response) => response.url().includes(".data"));
  await page.clock.runFor(1);
  expect((await renewed).status()).toBe(200);
  expect((await asksAgain).status()).toBe(200);
  expect(asked()).toBe(1);
});

test("a renewal that fails in passing is tried again after 200 ms, twice as long each time, for 30 s", async ({
  someone,
  watch,
}) => {
  watch.expectFailedLoad();
  for (const status of [502, 503, 504]) watch.expectStatus(status);
  const page = await beforeTheEnd(someone, 80);
  const asked = await answerRenewals(page, 502, 503, 504, "cut", 503);
  /** Lets the clock run until a renewal is asked for, and waits until the page knows that it failed. */
  const failing = async (span: number) => {
    const isRenewal = (request: Request) => request.url().endsWith("/api/session/renewal");
    const failed = Promise.race([
      page.waitForEvent("requestfinished", isRenewal),
      page.waitForEvent("requestfailed", isRenewal),
    ]);
    await page.clock.runFor(span);
    await failed;
    // The page reads the answer before it sets the next time.
    await page.evaluate(async () => {
      for (let turns = 0; turns < 5; turns++)
        await new Promise((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = done;
          port2.postMessage(null);
        });
    });
  };
  await failing(30 * SECOND);
  let tries = 1;
  expect(asked()).toBe(tries);
  for (let wait = 200; wait <= 12_800; wait *= 2) {
    await page.clock.runFor(wait - 1);
    expect(asked()).toBe(tries);
    await failing(1);
    expect(asked(), `after ${wait} ms`).toBe(++tries);
  }
  // 25.4 s have gone by; another 25.6 s would be past the window.
  await page.clock.runFor(4 * SECOND);
  expect(asked()).toBe(tries);
  await expect(signedIn(page).first()).toBeVisible();
  // The next look tries again.
  await page.clock.runFor(30 * SECOND);
  await expect.poll(asked).toBeGreaterThan(tries);
});

test("a renewal that is never answered is tried again after 10 s", async ({ someone }) => {
  const page = await beforeTheEnd(someone, 80);
  const asked = await answerRenewals(page, "never", "real");
  await page.clock.runFor(30 * SECOND);
  await expect.poll(asked).toBe(1);
  await page.clock.runFor(10 * SECOND - 1);
  expect(asked()).toBe(1);
  await page.clock.runFor(1);
  const renewed = page.waitForResponse("/api/session/renewal");
  await expect(async () => {
    await page.clock.runFor(200);
    expect(asked()).toBe(2);
  }).toPass();
  expect((await renewed).status()).toBe(200);
});

test("where renewing is refused for good, the person is signed out", async ({ someone, watch }) => {
  watch.expectStatus(401);
  const page = await beforeTheEnd(someone, 60);
  await answerRenewals(page, 401);
  await page.context().clearCookies();
  await page.clock.runFor(30 * SECOND);
  await expect(page.getByRole("heading", { level: 1, name: "Conecta con Psicólogos Profesionales" })).toBeVisible();
});
