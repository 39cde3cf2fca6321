import type { Locator } from "@playwright/test";
import { expect, expectToast, test, toastWith } from "./community.ts";
import { FULL_ONLY, PHONE, waitForHydration } from "./fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test("shows the new data when a psychologist changed before the decision", async ({ visit, community, watch }) => {
  watch.expectStatus(409);
  const person = await community.person({ type: "psychologist", verified: false, name: "Marta Antes" });
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  await expect(page.getByRole("article", { name: "Marta Antes" })).toContainText("MP 1234");
  await community.sql("update profiles set full_name = 'Marta Después' where id = $1", [person.id]);
  await community.sql("update psychologist_profiles set license_number = 'MP 9876' where id = $1", [person.id]);
  await page
    .getByRole("article", { name: "Marta Antes" })
    .getByRole("button", { name: /^Aprobar/ })
    .click();
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

test("moves the focus to the next row after a decision, and closes the form of a rejection", async ({
  visit,
  community,
}) => {
  const people = ["Primera Pérez", "Segunda Sosa", "Tercera Torres"];
  for (const name of people) await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  const row = (name: string) => page.getByRole("article", { name });
  const [first, second, third] = people.map(row) as [Locator, Locator, Locator];
  // The second click of a double click reaches the next row and must be ignored.
  await first.evaluate(
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
  await expect(first).toHaveCount(0);
  await expect(second).toBeFocused();

  await second.locator("summary", { hasText: "Rechazar" }).press("Enter");
  const confirm = second.getByRole("button", { name: "Confirmar el rechazo" });
  await second.getByLabel("Motivo").fill("No aparece en el registro.");
  await confirm.press("Enter");
  await expect(second).toContainText("Rechazado");
  await expect(confirm).toBeHidden();
  await expect(second.getByLabel("Motivo")).toHaveValue("");
  await expect(third).toBeFocused();

  // Other lists move the focus too.
  await community.call(community.people.user!, "POST", "/contact", {
    name: "Úrsula Usuaria",
    email: "ursula@example.com",
    message: "Una pregunta para el equipo, con más de veinte letras.",
  });
  await page.goto("/admin/mensajes");
  await waitForHydration(page);
  const messages = page.getByRole("region", { name: "Mensajes" });
  await messages
    .getByRole("button", { name: /^Marcar como atendido/ })
    .first()
    .press("Enter");
  await expectToast(page, "Mensaje atendido");
  await expect(page.locator("body")).not.toBeFocused();
});

test("the administrator can undo a decision in place, which restores the row with the focus", async ({
  visit,
  community,
}) => {
  for (const name of ["Úrsula Una", "Dora Dos"])
    await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await page.clock.install();
  await page.reload();
  await waitForHydration(page);
  const [first, second] = ["Úrsula Una", "Dora Dos"].map((name) => page.getByRole("article", { name })) as [
    Locator,
    Locator,
  ];
  const strip = page.locator(".undo-banner").filter({ hasText: "Úrsula Una" });
  const undo = strip.getByRole("button", { name: /^Deshacer/ });
  await first.getByRole("button", { name: /^Aprobar/ }).press("Enter");
  await expect(first).toHaveCount(0);
  await expect(toastWith(page, "Psicólogo aprobado")).toContainText("15 segundos");
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
  await expect(strip).toHaveCount(0);
  await expect(first).toBeFocused();

  // A rejected row stays below the undo button. If the time ends while that button has the focus, the row receives it.
  await first.locator("summary", { hasText: "Rechazar" }).press("Enter");
  await first.getByRole("button", { name: "Confirmar el rechazo" }).press("Enter");
  await expect(first).toContainText("Rechazado");
  await expect(second).toBeFocused();
  await undo.focus();
  await page.clock.fastForward(16_000);
  await expect(strip).toHaveText("El rechazo de Úrsula Una quedó en firme.");
  await expect(first).toBeFocused();
});

test("offers to undo a decision of another tab only in its section", async ({ visit, community }) => {
  const admin = community.people.admin!;
  const id = await community.ask(await community.person());
  const { id: applicant } = await community.person({ type: "psychologist", verified: false, name: "Olga Otrapestaña" });
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  const row = page.getByRole("article", { name: "Olga Otrapestaña" });
  const [{ items }, { items: pending }] = await Promise.all([
    community.call(admin, "GET", "/admin/consultations"),
    community.call(admin, "GET", "/admin/psychologists/pending"),
  ]);
  const versionOf = (rows: { id: string; version: string }[], of: string) => rows.find((one) => one.id === of)!.version;
  await community.call(admin, "DELETE", `/admin/consultations/${id}`, { version: versionOf(items, id) });
  await community.call(admin, "PUT", `/admin/psychologists/${applicant}/verification`, {
    version: versionOf(pending, applicant),
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const approved = toastWith(page, "Psicólogo aprobado");
  await expect(approved).toBeVisible();
  await expect(toastWith(page, "Consulta eliminada")).toHaveCount(0);
  await approved.getByRole("button", { name: "Deshacer" }).click();
  await expectToast(page, "Decisión deshecha");
  await expect(row).toBeVisible();
});

test("the administrator can undo a removal in the list", FULL_ONLY, async ({ visit, community }) => {
  const title = "Una consulta que vuelve a la lista";
  const id = await community.ask(await community.person(), { title });
  const page = await visit("admin", "/admin/consultas", { viewport: PHONE });
  await waitForHydration(page);
  const row = page.getByRole("article", { name: title });
  await row.getByRole("link", { name: /^Eliminar/ }).click();
  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await expect(confirm).toContainText("Puedes deshacerlo durante 15 segundos.");
  await confirm.getByRole("button", { name: "Eliminar" }).click();
  await expect(row).toHaveCount(0);
  const strip = page.locator(".undo-banner").filter({ hasText: title });
  await expect(strip).toContainText(/Se borra en \d+ segundos?\./);
  await expectAccessible(page, "a removal that can be undone");
  await expectNoSidewaysScroll(page);
  await strip.getByRole("button", { name: /^Deshacer/ }).click();
  await expectToast(page, "Decisión deshecha");
  await expect(row).toBeVisible();
  expect(await community.sql("select title from consultations where id = $1", [id])).toEqual([{ title }]);
});

test("the administrator can undo a decision without JavaScript, but not after its mail was sent", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(409);
  const { id } = await community.person({ type: "psychologist", verified: false, name: "Lía Lenta" });
  const page = await visit("admin", "/admin", { javaScriptEnabled: false });
  const row = page.getByRole("article", { name: "Lía Lenta" });
  const strip = page.locator(".undo-banner").filter({ hasText: "Lía Lenta" });
  const approve = () => row.getByRole("button", { name: /^Aprobar/ }).click();
  const undo = () => strip.getByRole("button", { name: /^Deshacer/ }).click();
  await approve();
  await expect(strip).toContainText("Psicólogo aprobado: Lía Lenta.");
  await undo();
  await expectToast(page, "Decisión deshecha");
  await expect(row).toBeVisible();
  await approve();
  await expect(strip).toBeVisible();
  // Simulates that the mail was sent.
  await community.sql("delete from pgboss.job where data ->> 'psychologist_id' = $1", [id]);
  await undo();
  await expect(page.getByRole("alert").filter({ hasText: "Ya no se puede deshacer" }).first()).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("shows missing data of a psychologist, and a form for the rejection that moves no button", async ({
  visit,
  community,
}) => {
  const whole = await community.person({
    type: "psychologist",
    verified: false,
    name: "Carla Completa",
    country: "Perú",
  });
  await community.sql(
    "update psychologist_profiles set bio = 'Atiendo en Arequipa.', phone = '+51 955 557 000', whatsapp = '+51 955 557 000' where id = $1",
    [whole.id],
  );
  const late = await community.person({ type: "psychologist", verified: false, name: "Lucas Lento" });
  await community.sql("update psychologist_profiles set created_at = now() - interval '49 hours' where id = $1", [
    late.id,
  ]);
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  const complete = page.getByRole("article", { name: "Carla Completa" });
  await expect(complete).toContainText("Ficha completa");
  await expect(complete).not.toContainText(/Falta|Sin dato|48 horas/);
  await expect(complete.getByRole("link", { name: /^Colegio de Psicólogos del Perú/ })).toBeVisible();
  const gaps = page.getByRole("article", { name: "Lucas Lento" });
  await expect(gaps).toContainText("Falta: biografía, teléfono y WhatsApp");
  await expect(gaps).toContainText("Falta el país. Pregúntale su país");
  await expect(gaps).toContainText("Pasó de 48 horas");
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

test("the administrator can reject a psychologist without JavaScript", async ({ visit, community }) => {
  await community.person({ type: "psychologist", verified: false, name: "Simón Sinscript" });
  const page = await visit("admin", "/admin", { javaScriptEnabled: false, viewport: PHONE });
  const row = page.getByRole("article", { name: "Simón Sinscript" });
  const confirm = row.getByRole("button", { name: "Confirmar el rechazo" });
  await expect(confirm).toBeHidden();
  await expect(row.getByRole("button", { name: /^Copiar/ })).toHaveCount(0);
  await row.locator("summary", { hasText: "Rechazar" }).click();
  await row.getByLabel("Motivo").fill("El número no figura en el registro.");
  await confirm.click();
  await expect(page.locator(".undo-banner").filter({ hasText: "Simón Sinscript" })).toContainText(
    "Psicólogo rechazado",
  );
  await expect(row).toContainText("Rechazado");
  await expect(confirm).toBeHidden();
  await page.goto("/admin/psicologos");
  await expect(
    page.getByRole("navigation", { name: "Secciones" }).getByRole("link", { name: "Psicólogos" }),
  ).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
});
