import type { Page } from "@playwright/test";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, deleteSessionCookie, expect, test, toastWith } from "./situations.ts";

const payWith = (page: Page, method: "PayPal" | "MercadoPago") =>
  page.getByRole("button", { name: `Pagar con ${method}` });

/** Presses a payment button and decides in the window that opens. */
async function pay(page: Page, method: "PayPal" | "MercadoPago", decision: "Aprobar el pago" | "Rechazar el pago") {
  const [popup] = await Promise.all([page.waitForEvent("popup"), payWith(page, method).click()]);
  await expect(
    popup
      .getByRole("main")
      .getByText(/modo de prueba/i)
      .first(),
  ).toBeVisible();
  await popup.getByRole("button", { name: decision }).click();
}

// test/page-roles.test.ts shows what each role sees.
test("shows the texts of the plans", async ({ visit, seen, watch }) => {
  watch.expectStatus(403);
  const main = (await visit("verified", "/planes")).getByRole("main");
  const plans = main.getByRole("navigation", { name: "Tipo de plan" });
  for (const text of ["Mensual", "Lifetime"]) await seen("S2.10-3", text, plans.getByRole("link", { name: text }));
  const places = main.getByText(/^\d+ de 100 lugares ocupados$/);
  const taken = String(Number.parseInt((await places.textContent())!, 10));
  await seen("S2.10-11", "{taken} de 100 lugares ocupados", places, { taken });

  const refused = (await visit("visitor", "/planes")).getByRole("main");
  await seen(["S2.10-1", "S8.8-13"], "Acceso solo para psicólogos", refused.getByRole("heading", { level: 1 }));
  await expect(refused.getByRole("link", { name: "Iniciar Sesión" })).toBeVisible();
});

test("shows the texts of a refused, an approved and a cancelled payment with PayPal", async ({
  visit,
  seen,
  community,
  watch,
}) => {
  watch.expectStatus(503);
  const page = await visit(await community.person({ type: "psychologist" }), "/planes?plan=mensual");
  await waitForHydration(page);

  await breakRequests(page, /\/api\/checkouts$/);
  await payWith(page, "PayPal").click();
  const trouble = toastWith(page, "Error de PayPal");
  await seen("S8.8-8", "Error de PayPal", trouble);
  await seen("S8.8-8", "Hubo un problema con el procesador de pagos", trouble);
  await page.unroute(/\/api\/checkouts$/);

  await pay(page, "PayPal", "Rechazar el pago");
  const refused = toastWith(page, "Error en la suscripción");
  await seen("S8.8-7", "Error en la suscripción", refused);
  await seen("S8.8-7", "Hubo un problema al procesar tu pago", refused);

  await breakRequests(page, /\/reconciliation$/);
  await pay(page, "PayPal", "Rechazar el pago");
  const unknown = "No se pudo activar la suscripción";
  await seen("S8.8-1", unknown, toastWith(page, unknown));
  await page.unroute(/\/reconciliation$/);

  await pay(page, "PayPal", "Aprobar el pago");
  await seen("S8.8-11", "¡Suscripción exitosa!", toastWith(page, "¡Suscripción exitosa!"));
  const main = page.getByRole("main");
  await seen("S2.10-2", "Ya tienes Membresía Gold", main.getByRole("heading", { name: "Ya tienes Membresía Gold" }));
  await seen("S2.10-8", "modo de prueba", main.getByRole("region", { name: "Historial de tu membresía" }));

  const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancelar la suscripción" });
  await main.getByRole("link", { name: "Cancelar la suscripción" }).click();
  await breakRequests(page, /\/planes\.data/);
  await cancel.click();
  const failed = "No se pudo cancelar la suscripción";
  await seen("S8.8-3", failed, toastWith(page, failed));
  await page.unroute(/\/planes\.data/);
  await cancel.click();
  await seen("S8.8-4", "Suscripción cancelada", toastWith(page, "Suscripción cancelada"));
});

test(
  "shows the texts and errors of a payment with MercadoPago",
  FULL_ONLY,
  async ({ visit, seen, community, watch }) => {
    watch.expectStatus(401);
    const page = await visit(await community.person({ type: "psychologist" }), "/planes?plan=lifetime");
    await waitForHydration(page);

    const open = await page.evaluateHandle(() => window.open);
    await page.evaluate(() => {
      window.open = () => null;
    });
    await payWith(page, "MercadoPago").click();
    const blocked = "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.";
    await seen("S8.8-9", blocked, toastWith(page, blocked));
    await page.evaluate((usual) => {
      window.open = usual;
    }, open);

    const [session] = await page.context().cookies();
    await deleteSessionCookie(page);
    await payWith(page, "MercadoPago").click();
    const lost = "Debes iniciar sesión para suscribirte";
    await seen("S8.8-6", lost, toastWith(page, lost));
    await page.context().addCookies([session!]);

    await pay(page, "MercadoPago", "Rechazar el pago");
    const refused = toastWith(page, "Error en el pago");
    await seen("S8.8-10", "Error en el pago", refused);
    await seen("S8.8-10", "Hubo un problema al procesar tu pago. Inténtalo nuevamente.", refused);

    await pay(page, "MercadoPago", "Aprobar el pago");
    await seen("S8.8-12", "¡Pago exitoso!", toastWith(page, "¡Pago exitoso!"));
  },
);

test(
  "shows the texts of a payment in the same tab without JavaScript",
  FULL_ONLY,
  async ({ visit, seen, community, watch }) => {
    watch.expectStatus(401);
    const page = await visit(await community.person({ type: "psychologist" }), "/planes", { javaScriptEnabled: false });
    const [session] = await page.context().cookies();
    await deleteSessionCookie(page);
    await payWith(page, "PayPal").click();
    await seen("S8.8-5", "Debes iniciar sesión para suscribirse", page.getByRole("main"));

    await page.context().addCookies([session!]);
    await page.goto("/planes");
    await payWith(page, "PayPal").click();
    await page.getByRole("button", { name: "Aprobar el pago" }).click();
    const main = page.getByRole("main");
    await seen("S8.8-2", "¡Suscripción activada!", main.getByRole("heading", { level: 1 }));
    await seen("S8.8-2", "Tu membresía Gold ha sido activada exitosamente", main);
    await expect(main.getByText(/modo de prueba/i)).toBeVisible();
  },
);
