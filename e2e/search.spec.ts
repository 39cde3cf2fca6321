import { test as communityTest } from "./community.ts";
import { detail, expect, goTo, test } from "./fixtures.ts";

detail("a visitor can search by keyboard with suggestions, and keeps the focus in the field", async ({ page }) => {
  await goTo(page, "/buscar");
  const field = page.getByLabel("¿Qué te pasa?");
  await field.focus();
  await page.keyboard.type("trab");
  await expect(page.locator("#sugerencias option").first()).toHaveAttribute("value", /trab/i);
  await page.keyboard.type("ajo");
  await page.keyboard.press("Enter");
  await expect(page.locator("p[aria-live=polite]")).toHaveText(/^trabajo: \d+ consultas hablan de algo parecido/);
  await expect(page).toHaveURL(/q=trabajo/);
  await expect(field).toBeFocused();
  await page.goBack();
  await expect(page).toHaveTitle(/^Buscar ·/);
  await expect(field).toHaveValue("");
});

test("shows similar consultations while the author writes, without losing the text", async ({ visit }) => {
  const page = await visit("user", "/nueva-consulta");
  const [{ title }] = (await (await page.request.get("/api/search?q=trabajo")).json()).items;
  await page.getByLabel("Título").fill(title);
  const similar = page.getByRole("region", { name: "Consultas parecidas" });
  const [opened] = await Promise.all([page.waitForEvent("popup"), similar.getByRole("link", { name: title }).click()]);
  await expect(opened.getByRole("heading", { level: 1 })).toContainText(title.slice(0, 20));
  await expect(page.getByLabel("Título")).toHaveValue(title);
});

communityTest("adds only answered consultations of the topic to a search for these", async ({ visit, community }) => {
  const author = await community.person();
  await community.sql(
    `insert into consultations (title, content, country, category, is_anonymous, user_id, response_count, created_at)
     select 'Una zarigüeya en mi casa, número ' || n, 'Vuelve cada noche, y no sé qué hacer.', 'Perú',
       case when n > 44 then 'Duelo' else 'Familia' end, true, $1, n % 2, now() - make_interval(days => 20)
     from generate_series(1, 88) n`,
    [author.id],
  );
  const page = await visit("visitor", "/buscar?q=zarigüeya&respuestas=si&categoria=Familia");
  await expect(page.getByRole("article")).toHaveCount(20);
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(page.getByRole("article")).toHaveCount(22);
  // The same on the start page.
  await goTo(page, "/?pais=Perú&categoria=Duelo&orden=pendientes");
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(page.getByRole("article")).toHaveCount(22);
  await expect(page.getByRole("article").filter({ hasText: "Duelo" }).filter({ hasText: "Perú" })).toHaveCount(22);
  await community.sql("delete from consultations where user_id = $1", [author.id]);
});
