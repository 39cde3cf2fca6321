import type { Locator, Page } from "@playwright/test";
import { expect, test, toastWith } from "./community.ts";
import { alive, expectAccessible, expectNoSidewaysScroll, FULL_ONLY } from "./fixtures.ts";

/** Writes to the team. */
async function write(page: Page, name: string, email: string, message: string): Promise<void> {
  await alive(page);
  await page.getByLabel("Nombre").fill(name);
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Mensaje").fill(message);
  await page.getByRole("button", { name: "Enviar mensaje" }).click();
}

test("anyone writes to the team; the administrator reads Gold first and puts aside what is answered", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(422);
  const visitor = await visit("visitor", "/contacto");
  await alive(visitor);
  // What is wrong is said beside its field, and nothing typed is lost.
  await visitor.locator("main form").evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await write(visitor, "Vito Visitante", "esto no es un correo", "Primero lo mío, que llegué antes.");
  await expect(visitor.getByLabel("Correo electrónico")).toHaveAttribute("aria-invalid", "true");
  await expect(visitor.getByLabel("Mensaje")).toHaveValue("Primero lo mío, que llegué antes.");
  await expectAccessible(visitor, "contact, refused");
  await visitor.getByLabel("Correo electrónico").fill("vito@example.com");
  await visitor.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(visitor.getByText("¡Mensaje enviado!")).toBeVisible();
  await visitor.getByRole("link", { name: "Escribir otro mensaje" }).click();
  await expect(visitor.getByLabel("Mensaje")).toHaveValue("");

  // A user who is signed in finds name and address filled in.
  const gold = await visit("gold", "/contacto");
  await alive(gold);
  await expect(gold.getByLabel("Nombre")).toHaveValue(community.people.gold!.full_name);
  await expect(gold.getByRole("main")).toContainText("con Gold, primero");
  await gold.getByLabel("Mensaje").fill("Con Gold, aunque llegué después.");
  await gold.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(gold.getByText("¡Mensaje enviado!")).toBeVisible();

  const admin = await visit("admin", "/admin?vista=mensajes");
  await alive(admin);
  await expect(admin.getByRole("main")).toContainText("2 mensajes esperan");
  const waiting = admin.getByRole("region", { name: "Mensajes" }).getByRole("article");
  await expect(waiting.first()).toContainText("Con Gold, aunque llegué después.");
  await expect(waiting.first()).toContainText("GOLD");
  await expect(waiting.nth(1)).toContainText("Primero lo mío, que llegué antes.");
  await expect(waiting.nth(1).getByRole("link", { name: "vito@example.com" })).toHaveAttribute("href", /^mailto:/);
  await expectAccessible(admin, "messages that wait");
  await waiting
    .first()
    .getByRole("button", { name: /^Marcar como atendido/ })
    .click();
  await expect(toastWith(admin, "Mensaje atendido")).toBeVisible();
  await expect(admin.getByRole("main")).toContainText("1 mensaje espera");
  await admin.getByText("Últimos mensajes atendidos").click();
  await expect(admin.locator("details[open]").getByRole("article")).toContainText("Con Gold, aunque llegué después.");
});

test(
  "the administrator searches consultations and deletes one, after saying yes",
  FULL_ONLY,
  async ({ visit, community }) => {
    const author = await community.person({ name: "Berta Búsqueda" });
    await community.ask(author, { title: "Una aguja en este pajar", is_anonymous: true });
    const page = await visit("admin", "/admin?vista=consultas");
    await alive(page);
    const list = page.getByRole("region", { name: /^Consultas/ });
    const rows = list.getByRole("article");
    await expect(rows).toHaveCount(10);
    await list.getByRole("link", { name: "Ver anteriores" }).click();
    await expect(page).toHaveURL(/cursor=/);
    await expect(list.getByRole("heading", { level: 2, name: "Consultas anteriores" })).toBeVisible();

    await list.getByLabel("Buscar en título y texto").fill("aguja en este pajar");
    await list.getByRole("button", { name: "Buscar" }).click();
    await expect(page).toHaveURL(/q=aguja/);
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("Anónimo");
    await expect(page.getByRole("main")).not.toContainText("Berta");

    const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
    await rows.getByRole("link", { name: /^Eliminar/ }).click();
    await expect(confirm).toContainText("Una aguja en este pajar");
    await expectAccessible(page, "deleting someone's consultation");
    await confirm.getByRole("button", { name: "Cancelar" }).click();
    await expect(confirm).toBeHidden();
    await expect(rows).toHaveCount(1);
    await rows.getByRole("link", { name: /^Eliminar/ }).click();
    await confirm.getByRole("button", { name: "Eliminar" }).click();
    await expect(toastWith(page, "Consulta eliminada")).toContainText("ha recuperado su consulta");

    await list.getByLabel("Buscar en título y texto").fill("aguja en este pajar");
    await list.getByRole("button", { name: "Buscar" }).click();
    await expect(list).toContainText("Ninguna consulta con «aguja en este pajar»");
    await list.getByRole("link", { name: "Ver las más recientes" }).click();
    await expect(rows).toHaveCount(10);
  },
);

test(
  "the administrator filters psychologists by state, country and membership",
  FULL_ONLY,
  async ({ visit, community }) => {
    const { people } = community;
    const page = await visit("admin", "/admin?vista=psicologos");
    await alive(page);
    const list = page.getByRole("region", { name: "Todos los psicólogos" });
    const row = (role: "pending" | "verified" | "gold") =>
      list.getByRole("article", { name: people[role]!.full_name, exact: true });
    const filter = async (state: string, country: string, gold: string) => {
      await list.getByLabel("Estado").selectOption(state);
      await list.getByLabel("País").selectOption(country);
      await list.getByLabel("Gold", { exact: true }).selectOption(gold);
      await list.getByRole("button", { name: "Filtrar" }).click();
      await expect(page).toHaveURL((url) => url.searchParams.get("gold") !== null);
      await expect(list.getByLabel("Estado")).toHaveValue(state);
    };
    await expect(row("pending")).toContainText("Pendiente de verificación");
    await expect(row("gold")).toContainText("GOLD");
    await expect(row("verified").getByRole("link", { name: people.verified!.email })).toBeVisible();

    await filter("pendientes", "Chile", "");
    await expect(row("pending")).toBeVisible();
    await expect(row("gold")).toHaveCount(0);
    await filter("verificados", "Argentina", "si");
    await expect(row("gold")).toBeVisible();
    await expect(row("pending")).toHaveCount(0);
    await filter("pendientes", "Argentina", "si");
    await expect(list).toContainText("Nadie con estos filtros.");
    await expectAccessible(page, "no one with these filters");
    await list.getByRole("link", { name: "Quitar los filtros" }).click();
    await expect(row("verified")).toBeVisible();
    // Back finds the filters that were there.
    await page.goBack();
    await expect(list.getByLabel("Estado")).toHaveValue("pendientes");
  },
);

test("the numbers above the tabs follow what is decided below them", async ({ visit, community }) => {
  await community.person({ type: "psychologist", verified: false, name: "Nadia Nueva" });
  const page = await visit("admin", "/admin");
  await alive(page);
  const number = (label: string) =>
    page.getByRole("list", { name: "Resumen" }).getByRole("listitem").filter({ hasText: label }).locator("b");
  const before = {
    pending: await number("Pendientes").textContent(),
    verified: await number("Verificados").textContent(),
  };
  await page
    .getByRole("article", { name: "Nadia Nueva" })
    .getByRole("button", { name: /^Aprobar/ })
    .click();
  await expect(toastWith(page, "Psicólogo aprobado")).toBeVisible();
  await expect(number("Pendientes")).toHaveText(String(Number(before.pending) - 1));
  await expect(number("Verificados")).toHaveText(String(Number(before.verified) + 1));
});

test("what changed while the administrator looked is shown anew, with what changed, and can be decided then", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(409);
  const person = await community.person({ type: "psychologist", verified: false, name: "Marta Antes" });
  const page = await visit("admin", "/admin");
  await alive(page);
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
  await expect(notice).toContainText("Ha cambiado: el nombre y la matrícula.");
  await expect(notice).toBeFocused();
  await expect(card).toContainText("MP 9876");
  await expect(card.getByText("cambió", { exact: true })).toHaveCount(2);
  await expectAccessible(page, "a decision refused because something changed");
  await card.getByRole("button", { name: /^Aprobar/ }).click();
  await expect(toastWith(page, "Psicólogo aprobado")).toBeVisible();
  await expect(card).toHaveCount(0);
});

test("after a decision the keyboard goes on with the next row, and a rejection leaves no form open", async ({
  visit,
  community,
}) => {
  const people = ["Primera Pérez", "Segunda Sosa", "Tercera Torres"];
  for (const name of people) await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await alive(page);
  const row = (name: string) => page.getByRole("article", { name });
  const [first, second, third] = people.map(row) as [Locator, Locator, Locator];
  await first.getByRole("button", { name: /^Aprobar/ }).click();
  await expect(first).toHaveCount(0);
  await expect(second).toBeFocused();

  await second.locator("summary", { hasText: "Rechazar" }).click();
  const confirm = second.getByRole("button", { name: "Confirmar el rechazo" });
  await second.getByLabel("Motivo").fill("No aparece en el registro.");
  await confirm.click();
  await expect(second).toContainText("Rechazado");
  await expect(confirm).toBeHidden();
  await expect(second.getByLabel("Motivo")).toHaveValue("");
  await expect(third).toBeFocused();

  // What leaves other lists leaves the keyboard there too.
  await community.call(community.people.user!, "POST", "/contact", {
    name: "Úrsula Usuaria",
    email: "ursula@example.com",
    message: "Una pregunta para el equipo, con más de veinte letras.",
  });
  await page.goto("/admin?vista=mensajes");
  await alive(page);
  const messages = page.getByRole("region", { name: "Mensajes" });
  await messages
    .getByRole("button", { name: /^Marcar como atendido/ })
    .first()
    .press("Enter");
  await expect(toastWith(page, "Mensaje atendido")).toBeVisible();
  await expect(page.locator("body")).not.toBeFocused();
});

test("a decision is undone where its row stood: the row is back with the keyboard in it, and nothing jumps", async ({
  visit,
  community,
}) => {
  for (const name of ["Úrsula Una", "Dora Dos"])
    await community.person({ type: "psychologist", verified: false, name });
  const page = await visit("admin", "/admin");
  await page.clock.install();
  await page.reload();
  await alive(page);
  const [first, second] = ["Úrsula Una", "Dora Dos"].map((name) => page.getByRole("article", { name })) as [
    Locator,
    Locator,
  ];
  const strip = page.locator(".desk-undo").filter({ hasText: "Úrsula Una" });
  const undo = strip.getByRole("button", { name: /^Deshacer/ });
  await first.getByRole("button", { name: /^Aprobar/ }).press("Enter");
  await expect(first).toHaveCount(0);
  await expect(toastWith(page, "Psicólogo aprobado")).toContainText("15 segundos");
  await expect(strip).toContainText(/El correo sale en \d+ segundos?\./);
  // The next row has the keyboard, and the strip lies just before it; another test's may lie between them.
  await expect(second).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("Shift+Tab");
    await expect(undo).toBeFocused({ timeout: 200 });
  }).toPass({ timeout: 5_000 });
  await expectAccessible(page, "a decision that can be undone");
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Enter");
  await expect(toastWith(page, "Decisión deshecha")).toBeVisible();
  await expect(strip).toHaveCount(0);
  await expect(first).toBeFocused();

  // A rejected one stays, with the strip above it; when the time is over while it has the keyboard, the row gets that.
  await first.locator("summary", { hasText: "Rechazar" }).click();
  await first.getByRole("button", { name: "Confirmar el rechazo" }).click();
  await expect(first).toContainText("Rechazado");
  await expect(second).toBeFocused();
  await undo.focus();
  await page.clock.fastForward(16_000);
  await expect(strip).toHaveCount(0);
  await expect(first).toBeFocused();
});

test("a removal is undone in the list, with everything as it was", FULL_ONLY, async ({ visit, community }) => {
  const title = "Una consulta que vuelve a la lista";
  const id = await community.ask(await community.person(), { title });
  const page = await visit("admin", "/admin?vista=consultas", { viewport: { width: 390, height: 844 } });
  await alive(page);
  const row = page.getByRole("article", { name: title });
  await row.getByRole("link", { name: /^Eliminar/ }).click();
  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await expect(confirm).toContainText("Puedes deshacerlo durante 15 segundos.");
  await confirm.getByRole("button", { name: "Eliminar" }).click();
  await expect(row).toHaveCount(0);
  const strip = page.locator(".desk-undo").filter({ hasText: title });
  await expect(strip).toContainText(/Se borra en \d+ segundos?\./);
  await expectAccessible(page, "a removal that can be undone");
  await expectNoSidewaysScroll(page);
  await strip.getByRole("button", { name: /^Deshacer/ }).click();
  await expect(toastWith(page, "Decisión deshecha")).toBeVisible();
  await expect(row).toBeVisible();
  expect(await community.sql("select title from consultations where id = $1", [id])).toEqual([{ title }]);
});

test("without JavaScript a decision is undone on the page that follows it, and too late is said", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(409);
  const { id } = await community.person({ type: "psychologist", verified: false, name: "Lía Lenta" });
  const page = await visit("admin", "/admin", { javaScriptEnabled: false });
  const row = page.getByRole("article", { name: "Lía Lenta" });
  const strip = page.locator(".desk-undo").filter({ hasText: "Lía Lenta" });
  const approve = () => row.getByRole("button", { name: /^Aprobar/ }).click();
  const undo = () => strip.getByRole("button", { name: /^Deshacer/ }).click();
  await approve();
  await expect(strip).toContainText("Psicólogo aprobado: Lía Lenta.");
  await undo();
  await expect(toastWith(page, "Decisión deshecha")).toBeVisible();
  await expect(row).toBeVisible();
  await approve();
  await expect(strip).toBeVisible();
  // The mail has left.
  await community.sql("delete from pgboss.job where data ->> 'psychologist_id' = $1", [id]);
  await undo();
  await expect(page.getByRole("alert").filter({ hasText: "Ya no se puede deshacer" }).first()).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a row says what to compare and what is missing; a rejection opens below it and moves no button", async ({
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
  await alive(page);
  const complete = page.getByRole("article", { name: "Carla Completa" });
  await expect(complete).toContainText("Ficha completa");
  await expect(complete).not.toContainText(/Falta|Sin dato|48 horas/);
  await expect(complete.getByRole("link", { name: /^Colegio de Psicólogos del Perú/ })).toBeVisible();
  const gaps = page.getByRole("article", { name: "Lucas Lento" });
  await expect(gaps).toContainText("Falta: biografía, teléfono y WhatsApp");
  await expect(gaps).toContainText("Falta el país. Pregúntale su país");
  await expect(gaps).toContainText("Pasó de 48 horas");
  await expectAccessible(page, "the desk");

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

test("help lines that no one has called for long have a tab of their own, on a phone in view when it is open", async ({
  visit,
}) => {
  const page = await visit("admin", "/admin?vista=ayuda", { viewport: { width: 390, height: 844 } });
  await alive(page);
  const tabs = page.getByRole("navigation", { name: "Secciones" });
  const tab = tabs.getByRole("link", { name: /^Ayuda/ });
  // Nothing is decided there: it is the last of those for looking things up.
  await expect(tabs.getByRole("link").last()).toHaveAccessibleName(/^Ayuda \(\d+ por comprobar\)$/);
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tab).toBeInViewport({ ratio: 1 });
  const list = page.getByRole("region", { name: "Líneas de ayuda" });
  await expect(list).toContainText("una nueva comprobación");
  await expect(list.getByRole("article").first()).toContainText("Comprobada hace");
  await expect(page.getByRole("main")).not.toContainText(".json");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, "help lines to be checked");
});

test("without JavaScript a rejection opens below its row, is sent, and leaves no form open", async ({
  visit,
  community,
}) => {
  await community.person({ type: "psychologist", verified: false, name: "Simón Sinscript" });
  const page = await visit("admin", "/admin", { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const row = page.getByRole("article", { name: "Simón Sinscript" });
  const confirm = row.getByRole("button", { name: "Confirmar el rechazo" });
  await expect(confirm).toBeHidden();
  await expect(row.getByRole("button", { name: /^Copiar/ })).toHaveCount(0);
  await row.locator("summary", { hasText: "Rechazar" }).click();
  await row.getByLabel("Motivo").fill("El número no figura en el registro.");
  await confirm.click();
  await expect(toastWith(page, "Psicólogo rechazado")).toBeVisible();
  await expect(row).toContainText("Rechazado");
  await expect(confirm).toBeHidden();
  await page.goto("/admin?vista=psicologos");
  await expect(
    page.getByRole("navigation", { name: "Secciones" }).getByRole("link", { name: "Psicólogos" }),
  ).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
});
