import type { Page, Request } from "@playwright/test";
import { SECOND } from "#shared/time.ts";
import { DATA, expect, PHONE_DEVICE, test, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

/** Opens a page whose session ends in `seconds` seconds by the browser's clock, which is then paused. */
async function beforeTheEnd(
  openPage: (options: { as: "user" }) => Promise<Page>,
  seconds: number,
  path = "/",
): Promise<Page> {
  const page = await openPage({ as: "user" });
  const { expires_at } = await (await page.request.get("/api/session")).json();
  const from = Date.parse(expires_at) - seconds * SECOND;
  await page.clock.install({ time: from - SECOND });
  await page.clock.pauseAt(from);
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

/**
 * Responds to renewals with `answers` in order, repeating the last one. @returns a function that counts the renewals
 */
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

test("checks a session every 30 s and renews it from 90 s before its end", async ({ openPage }) => {
  const page = await beforeTheEnd(openPage, 119);
  const asked = await answerRenewals(page, "real");
  // 89 s are left after 30 s. The page does not check at 90 s.
  await page.clock.runFor(30 * SECOND - 1);
  expect(asked()).toBe(0);
  const renewed = page.waitForResponse("/api/session/renewal");
  // Then the page loads the new end of the session.
  const asksAgain = page.waitForResponse((response) => response.url().includes(".data"));
  await page.clock.runFor(1);
  expect((await renewed).status()).toBe(200);
  expect((await asksAgain).status()).toBe(200);
  expect(asked()).toBe(1);
});

test("renews a session without dropping the response to a form", async ({ openPage, watch }) => {
  watch.expectStatus(422);
  const page = await beforeTheEnd(openPage, 80, "/perfil");
  await page.getByRole("main").getByText("Nombre completo").first().click();
  await page.getByLabel("Nombre completo").fill("A");
  await page.getByRole("button", { name: "Guardar cambios" }).click();
  const refused = page.getByLabel("Nombre completo").and(page.locator("[aria-invalid]"));
  await expect(refused).toBeVisible();
  const reloads: string[] = [];
  page.on("request", (request) => DATA.test(request.url()) && reloads.push(request.url()));
  const renewed = page.waitForResponse("/api/session/renewal");
  await page.clock.runFor(30 * SECOND);
  expect((await renewed).status()).toBe(200);
  // A reload would be requested before.
  await page.evaluate(() => fetch("/api/session").then((response) => response.text()));
  expect(reloads).toEqual([]);
  await expect(refused).toBeVisible();
});

test("retries a failed renewal after 200 ms, doubling the delay, for 30 s", async ({ openPage, watch }) => {
  watch.expectFailedLoad();
  for (const status of [502, 503, 504]) watch.expectStatus(status);
  const page = await beforeTheEnd(openPage, 80);
  const asked = await answerRenewals(page, 502, 503, 504, "cut", 503);
  /** Runs the clock until a renewal is sent, and waits until the page has handled its failure. */
  const failing = async (span: number) => {
    const isRenewal = (request: Request) => request.url().endsWith("/api/session/renewal");
    const failed = Promise.race([
      page.waitForEvent("requestfinished", isRenewal),
      page.waitForEvent("requestfailed", isRenewal),
    ]);
    await page.clock.runFor(span);
    await failed;
    // The page reads the response before it schedules the next try.
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
  // 25.4 s have passed. Another delay of 25.6 s would exceed the 30 s.
  await page.clock.runFor(4 * SECOND);
  expect(asked()).toBe(tries);
  await expect(signedIn(page).first()).toBeVisible();
  // The next check retries.
  await page.clock.runFor(30 * SECOND);
  await expect.poll(asked).toBeGreaterThan(tries);
});

test("retries a renewal without a response after 10 s", async ({ openPage }) => {
  const page = await beforeTheEnd(openPage, 80);
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

test("signs the user out when a renewal is refused with 401", async ({ openPage, watch }) => {
  watch.expectStatus(401);
  const page = await beforeTheEnd(openPage, 60);
  await answerRenewals(page, 401);
  await page.context().clearCookies();
  await page.clock.runFor(30 * SECOND);
  await expect(page.getByRole("heading", { level: 1, name: "Conecta con Psicólogos Profesionales" })).toBeVisible();
});
