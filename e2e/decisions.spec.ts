import type { Locator } from "@playwright/test";
import { withHidden } from "#test/hidden.ts";
import { breakRequests, expect, expectToast, test } from "./community.ts";
import { PHONE, stopClock, toast } from "./fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test("shows the new data when a psychologist changed before the decision", async ({ visit, community, watch }) => {
  for (const status of [409, 500, 503]) watch.expectStatus(status);
  const person = await community.person({ type: "psychologist", verified: false, name: "Marta Antes" });
  const page = await visit("admin", "/admin");
  const approve = page.getByRole("article", { name: "Marta Antes" }).getByRole("button", { name: /^Aprobar/ });
  await breakRequests(page, /\/admin\.data/);
  await approve.click();
  await expectToast(page, "No se pudo actualizar el estado de verificación");
  await page.unroute(/\/admin\.data/);
  await withHidden(community, "table", "audit_log", async () => {
    await approve.click();
    await expectToast(page, "ErrorEs un problema nuestro.");
  });
  await community.sql("update profiles set full_name = 'Marta Después' where id = $1", [person.id]);
  await community.sql("update psychologist_profiles set license_number = 'MP 9876' where id = $1", [person.id]);
  await approve.click();
  const card = page.getByRole("article", { name: /^Marta Después/ });
  const notice = card.getByRole("alert");
  await expect(notice).toContainText("Cambió mientras lo mirabas");
  await expect(notice).toBeFocused();
  await expect(card).toContainText("MP 9876");
  await expectAccessible(page, "a decision refused because something changed");
  await card.getByRole("button", { name: /^Aprobar/ }).click();
  await expectToast(page, "Psicólogo aprobado");
  await expect(card).toHaveCount(0);
});

test("ignores the second click of a double click, which reaches the next row", async ({ visit, community }) => {
  for (const name of ["Primera Pérez", "Segunda Sosa"])
    await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  let decisions = 0;
  page.on("request", (request) => request.method() === "POST" && decisions++);
  await page.getByRole("article", { name: "Primera Pérez" }).evaluate(
    (row) =>
      new Promise<void>((done) => {
        const approve = (of: Element) =>
          [...of.querySelectorAll("button")].find((one) => one.textContent.startsWith("Aprobar"))!;
        const next = row.parentElement!.querySelector(`#${row.id} ~ article`)!;
        new MutationObserver((_, observer) => {
          if (row.isConnected) return;
          observer.disconnect();
          setTimeout(() => {
            approve(next).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
            done();
          }, 100);
        }).observe(document.body, { childList: true, subtree: true });
        approve(row).click();
      }),
  );
  await expect(page.getByRole("article", { name: "Segunda Sosa" })).toBeFocused();
  await page.waitForLoadState("networkidle");
  expect(decisions).toBe(1);
});

test("the administrator can undo a decision, which restores the row with the focus", async ({ visit, community }) => {
  for (const name of ["Úrsula Una", "Dora Dos"])
    await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await page.clock.install();
  const [first, second] = ["Úrsula Una", "Dora Dos"].map((name) => page.getByRole("article", { name })) as [
    Locator,
    Locator,
  ];
  const strip = page.locator(".undo-banner").filter({ hasText: "Úrsula Una" });
  const undo = strip.getByRole("button", { name: /^Deshacer/ });
  const summary = page.getByRole("list", { name: "Resumen" }).getByRole("listitem");
  const pending = summary.filter({ hasText: "Pendientes" }).locator("b");
  const before = Number(await pending.textContent());
  await first.getByRole("button", { name: /^Aprobar/ }).press("Enter");
  await expect(first).toHaveCount(0);
  await expect(pending).toHaveText(String(before - 1));
  await expect(toast(page, "Psicólogo aprobado")).toContainText("15 segundos");
  await expect(strip).toContainText(/El correo sale en \d+ segundos?\./);
  // The undo button is just before the focused row, possibly with a row of another test between them.
  await expect(second).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("Shift+Tab");
    await expect(undo).toBeFocused({ timeout: 200 });
  }).toPass();
  await expectAccessible(page, "a decision that can be undone");
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Enter");
  await expectToast(page, "Decisión deshecha");
  expect(await page.locator(".toast").count(), "the toast that offered the undo is gone").toBe(1);
  await expect(strip).toHaveCount(0);
  await expect(first).toBeFocused();
  await expect(pending).toHaveText(String(before));

  // A rejected row stays below the undo button. If the time ends while that button has the focus, the row receives it.
  await first.locator("summary", { hasText: "Rechazar" }).press("Enter");
  const reason = first.getByLabel("Motivo");
  await reason.fill("No aparece en el registro.");
  await first.getByRole("button", { name: "Confirmar el rechazo" }).press("Enter");
  await expect(first).toContainText("Rechazado");
  await expect(reason).toBeHidden();
  await expect(reason).toHaveValue("");
  await expect(second).toBeFocused();
  await undo.focus();
  await page.clock.fastForward(16_000);
  await expect(strip).toHaveText("El rechazo de Úrsula Una quedó en firme.");
  await expect(first).toBeFocused();
});

test("removes only the toast of the decision that is undone", async ({ visit, community }) => {
  for (const name of ["Aída Aprobada", "Reina Rechazada"])
    await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await stopClock(page);
  const row = (name: string) => page.getByRole("article", { name });
  await row("Aída Aprobada")
    .getByRole("button", { name: /^Aprobar/ })
    .press("Enter");
  await expect(toast(page, "Psicólogo aprobado")).toBeVisible();
  await row("Reina Rechazada").locator("summary", { hasText: "Rechazar" }).press("Enter");
  await row("Reina Rechazada").getByRole("button", { name: "Confirmar el rechazo" }).press("Enter");
  await expect(toast(page, "Psicólogo rechazado")).toBeVisible();
  const strip = page.locator(".undo-banner").filter({ hasText: "Aída Aprobada" });
  await strip.getByRole("button", { name: /^Deshacer/ }).press("Enter");
  await expect(page.locator(".toast b")).toHaveText(["Psicólogo rechazado", "Decisión deshecha"]);
});

test("opens the form for a rejection below the row, without moving a button", async ({ visit, community }) => {
  await community.person({ type: "psychologist", verified: false, name: "Carla Completa", country: "Perú" });
  const page = await visit("admin", "/admin");
  const complete = page.getByRole("article", { name: "Carla Completa" });
  await expectAccessible(page, "the pending psychologists");

  const approve = complete.getByRole("button", { name: /^Aprobar/ });
  const refuse = complete.locator("summary", { hasText: "Rechazar" });
  await refuse.scrollIntoViewIfNeeded();
  const before = [await approve.boundingBox(), await refuse.boundingBox()];
  await refuse.click();
  const reason = complete.getByLabel("Motivo");
  await expect(reason).toBeVisible();
  expect([await approve.boundingBox(), await refuse.boundingBox()]).toEqual(before);
  expect((await reason.boundingBox())!.y).toBeGreaterThan(before[1]!.y + before[1]!.height);
  await reason.press("Escape");
  await expect(reason).toBeHidden();
  await expect(refuse).toBeFocused();
});

test("the administrator can undo the removal of a consultation from the list", async ({ visit, community }) => {
  const author = await community.person({ name: "Berta Búsqueda" });
  await community.ask(author, { title: "Una aguja en este pajar", is_anonymous: true });
  const page = await visit("admin", "/admin/consultas?q=aguja");
  const rows = page.getByRole("region", { name: /^Consultas/ }).getByRole("article");
  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await rows.getByRole("link", { name: /^Eliminar/ }).click();
  await expect(confirm).toContainText("Una aguja en este pajar");
  await expectAccessible(page, "the dialog that deletes a consultation");
  await confirm.getByRole("button", { name: "Eliminar" }).click();
  const strip = page.locator(".undo-banner").filter({ hasText: "Una aguja en este pajar" });
  await expect(strip).toContainText(/Se borra en \d+ segundos?\./);
  await expect(page).toHaveURL(/q=aguja/);
  await strip.getByRole("button", { name: /^Deshacer/ }).click();
  await expectToast(page, "Decisión deshecha");
  await expect(rows.filter({ hasText: "Una aguja en este pajar" })).toHaveCount(1);
});

test("shows payments to be checked with accessible actions", async ({ visit, community }) => {
  await community.sql(
    `insert into payment_problems (kind, provider, external_id, created_at) values ('unmatched', 'paypal', 'I-1', now())`,
  );
  const page = await visit("admin", "/admin/membresias");
  await expect(page.getByRole("button", { name: /^Leer ahora/ })).toBeVisible();
  await expectAccessible(page, "payments with their actions");
  await expectNoSidewaysScroll(page);
});

test("shows the tab of help lines to be checked in view on a phone when it is open", async ({ visit }) => {
  const page = await visit("admin", "/admin/ayuda", { viewport: PHONE });
  const tab = page.getByRole("navigation", { name: "Secciones" }).getByRole("link", { name: /^Ayuda/ });
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tab).toBeInViewport({ ratio: 1 });
});
