import { randomUUID } from "node:crypto";
import { DEMO_PASSWORD, FULL_ONLY, fillRegistration, mailTo, signIn, signOut } from "../fixtures.ts";
import { expect, expectToast, test, toastWith } from "./situations.ts";

test("shows the texts of a registration and a sign-in", FULL_ONLY, async ({ visit, seen }) => {
  // Only requests from the server's own machine may read the demo's mails.
  const page = await visit("visitor", "/auth?modo=registro", { extraHTTPHeaders: {} });
  for (const address of ["/terms", "/privacy"])
    await expect(page.getByRole("main").locator(`a[href="${address}"]`)).toHaveAttribute("target", "_blank");
  const email = `recien-${randomUUID().slice(0, 8)}@example.com`;
  await fillRegistration(page, { full_name: "Renata Recién", email, password: DEMO_PASSWORD });
  await page.getByRole("button", { name: "Crear Cuenta Gratis" }).click();
  await seen("S8.5-2", "¡Registro exitoso!", page.getByRole("heading", { level: 1 }));

  await page.goto("/correo");
  await (await mailTo(page, email, /Confirma tu correo/)).getByRole("link", { name: "/auth/confirmar" }).click();
  await page.getByRole("button", { name: "Confirmar mi correo" }).click();
  await seen("S8.5-1", "¡Bienvenido!", toastWith(page, "¡Bienvenido!"));
  await page.reload();
  await signOut(page);
  await expectToast(page, "Has cerrado sesión");
  await page.goto("/auth");
  await signIn(page, email);
  await seen("S8.5-1", "¡Bienvenido!", toastWith(page, "¡Bienvenido!"));
});
