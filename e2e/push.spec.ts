import type { Page } from "@playwright/test";
import { type Community, expect, expectToast, test } from "./community.ts";
import { PHONE_DEVICE, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use({ ...PHONE_DEVICE, permissions: ["notifications"], serviceWorkers: "allow" });

const turnOn = (page: Page) => page.getByRole("button", { name: "Activar en este dispositivo" });

/** Subscribes at the push service of the tests, because Chromium's own is not reachable. */
async function subscribeLocally(page: Page, community: Community) {
  const browser = community.pushService.browser();
  const { endpoint, ...keys } = browser.subscription;
  await page.addInitScript(
    (made) => {
      // That of another account in this browser.
      const earlier = { unsubscribe: async () => Object.assign(window, { ended: true }) };
      PushManager.prototype.getSubscription = async () => earlier as unknown as PushSubscription;
      PushManager.prototype.subscribe = async (options) => {
        Object.assign(window, { subscribed: options });
        return { toJSON: () => made } as unknown as PushSubscription;
      };
    },
    { endpoint, keys },
  );
  return browser;
}

test("offers pushes after an answer, sends one, shows it and ends them again", async ({ visit, community }) => {
  const author = await community.person();
  const page = await visit(author, "/notificaciones");
  const browser = await subscribeLocally(page, community);
  await page.reload();
  await waitForHydration(page);
  // Nothing has arrived before.
  await expect(page.getByRole("heading", { name: "Cómo te avisamos" })).toBeVisible();
  await expect(turnOn(page)).toHaveCount(0);
  const id = await community.ask(author, { is_anonymous: true });
  await community.answer(id, "Una primera respuesta.");
  await page.reload();
  await waitForHydration(page);
  await expectAccessible(page, "the offer of pushes");
  await page.evaluate(() => {
    const ask = Notification.requestPermission;
    Notification.requestPermission = async () => {
      Notification.requestPermission = ask;
      return "denied";
    };
  });
  await turnOn(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Tu navegador no las permite." })).toBeVisible();
  await turnOn(page).click();
  await expectToast(page, "Avisos guardados");
  await expect(turnOn(page)).toHaveCount(0);
  const { public_key } = await community.call(author, "GET", "/notifications/choices");
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  expect(await page.evaluate(() => [Reflect.get(window, "subscribed"), Reflect.get(window, "ended")])).toEqual([
    options,
    true,
  ]);
  await page.goto("/");
  await community.answer(id, "Una segunda respuesta.");
  await expect.poll(() => browser.payloads()).toEqual(['{"title":"Diván","body":"Tienes una novedad"}']);

  // The browser shows what it received.
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) found(first.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  const origin = new URL(page.url()).origin;
  const [worker] = page.context().serviceWorkers();
  // The browser of the tests has no notifications, so the worker stores what it would show.
  await worker!.evaluate(() => {
    const registration = Reflect.get(globalThis, "registration");
    registration.showNotification = async (...given: unknown[]) => Object.assign(globalThis, { shown: given });
  });
  await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: browser.payloads()[0]! });
  await expect
    .poll(() => worker!.evaluate(() => Reflect.get(globalThis, "shown")))
    .toEqual(["Diván", { body: "Tienes una novedad", tag: "news", icon: "/icon-192.png" }]);
  /** Taps the notification. @returns the page that the worker opens in a new tab */
  const tap = () =>
    worker!.evaluate(async () => {
      let handled: unknown;
      let opened: unknown = null;
      Reflect.get(globalThis, "clients").openWindow = async (path: string) => {
        opened = path;
      };
      const waitUntil = (work: unknown) => {
        handled = work;
      };
      dispatchEvent(Object.assign(new Event("notificationclick"), { notification: { close() {} }, waitUntil }));
      await handled;
      return opened;
    });
  // Only a real tap may focus the tab.
  await tap().catch(() => {});
  await expect(page).toHaveURL(/\/notificaciones$/);
  // Without an open tab.
  await worker!.evaluate(() => {
    Reflect.get(globalThis, "clients").matchAll = async () => [];
  });
  expect(await tap()).toBe("/notificaciones");
  await waitForHydration(page);
  await expectAccessible(page, "the choices with pushes");
  await page.getByRole("button", { name: "Quitar las notificaciones" }).click();
  await expectToast(page, "Avisos guardados");
  await expect(turnOn(page)).toBeVisible();
});
