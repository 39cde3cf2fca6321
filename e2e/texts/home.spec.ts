import type { Page } from "@playwright/test";
import { CATEGORIES } from "#shared/categories.ts";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, expect, test } from "./situations.ts";

// test/page-roles.test.ts shows what each role sees.
test("shows the texts of the consultations", async ({ visit, seen, community }) => {
  // Other tests ask too: only in its country, the consultation is on the first page for certain.
  const page = await visit("visitor", "/?pais=Uruguay");
  const main = page.getByRole("main");
  const tabs = main.getByRole("navigation", { name: "Secciones" });
  await seen("S2.3-1", "Consultas Públicas", tabs.getByRole("link", { name: "Consultas Públicas" }));
  await seen("S2.3-1", "Ranking de Psicólogos", tabs.getByRole("link", { name: "Ranking de Psicólogos" }));
  const cardOn = (at: Page) => at.getByRole("article").filter({ hasText: community.threadFixture.title });
  await seen("S2.3-9", "Ver consulta", cardOn(page).getByRole("link", { name: /^Ver consulta/ }));
  const donation = main.getByRole("complementary").getByRole("heading", { name: "Invítanos un café" });
  await seen("S1.3-4", "Invítanos un café", donation);
  const call = main.getByRole("region", { name: "¿Eres psicólogo o psicóloga?" });
  await seen("S2.3-23", "¿Eres psicólogo o psicóloga?", call);
  await seen("S2.3-5", "Nueva Consulta", main.getByRole("link", { name: "Nueva Consulta" }));
  const psychologist = await visit("verified", "/?pais=Uruguay");
  await seen("S2.3-10", "Responder", cardOn(psychologist).getByText("Responder", { exact: true }));
});

test("shows the texts of filters and orders", FULL_ONLY, async ({ visit, seen, seenAsChoice }) => {
  const page = await visit("visitor", "/");
  await waitForHydration(page);
  const categories = page.getByRole("navigation", { name: "Categorías" });
  await seen("S2.3-3", "Todas", categories.getByRole("link", { name: "Todas" }));
  for (const category of CATEGORIES)
    await seen("S3.3-1", category, categories.getByRole("link", { name: category, exact: true }));

  for (const order of ["Más antiguas", "Más votadas", "Más respondidas", "Sin responder", "Más recientes"]) {
    await seenAsChoice("S2.3-4", order, page.getByRole("combobox", { name: "Ordenar" }));
    await expect(page).toHaveURL(/orden=/);
  }
  const country = page.getByRole("banner").getByRole("combobox", { name: "País" });
  await country.selectOption("Perú");
  await expect(page.getByRole("heading", { name: "Consultas de Perú" })).toBeVisible();
  await seenAsChoice("S3.3-4", "Todos", country);
  await expect(page.getByRole("heading", { name: "Consultas de todos los países" })).toBeVisible();
});

test("shows the text of a country without consultations", FULL_ONLY, async ({ visit, seen }) => {
  const page = await visit("visitor", "/?pais=Panamá&categoria=Duelo");
  await seen("S2.3-12", "No hay consultas para mostrar en este país.", page.getByRole("main"));
});

test("shows the texts of loading more and of its error", FULL_ONLY, async ({ visit, seen, watch }) => {
  watch.expectStatus(503);
  const page = await visit("visitor", "/");
  await waitForHydration(page);
  const cards = page.getByRole("main").getByRole("article");
  await expect(cards).toHaveCount(20);
  const more = page.getByRole("link", { name: "Cargar más" });
  await seen("S2.14-1", "Cargar más", more);
  await breakRequests(page, /\/api\/consultations/);
  await more.click();
  const failed = page.getByRole("main").getByRole("alert");
  await seen("S8.3-2", "No se pudieron cargar las consultas", failed);
  const again = page.getByRole("main").getByRole("link", { name: "Reintentar" });
  await seen("S2.14-1", "Reintentar", again);
  await expect(cards).toHaveCount(20);
  await page.unroute(/\/api\/consultations/);
  await again.click();
  await expect(cards).not.toHaveCount(20);
});

test("shows an error when the list cannot be read", FULL_ONLY, async ({ visit, seen, community, watch }) => {
  watch.expectStatus(503);
  await community.hide("view", "visible.consultations", async () => {
    // No previous test has read this order, so it is not cached.
    const page = await visit("user", "/?orden=antiguas");
    const list = page.getByRole("main").getByRole("alert");
    await seen("S8.3-2", "No se pudieron cargar las consultas", list);
    await seen("S2.14-1", "Reintentar", list.getByRole("link", { name: "Reintentar" }));
    // The rest of the page remains, including the filters.
    await expect(page.getByRole("heading", { level: 1, name: "Consultas de todos los países" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Ordenar" })).toBeVisible();
    await expect(page.getByRole("region", { name: "La comunidad hoy" })).toBeVisible();
  });
});

test("shows an error when the psychologist's state cannot be read", FULL_ONLY, async ({ visit, seen, community }) => {
  await community.hide("column", "psychologist_profiles.total_votes", async () => {
    const page = await visit("verified", "/");
    const panel = page.getByRole("region", { name: "Tu consultorio" });
    await seen("S8.4-5", "No se pudo verificar tu estado de psicólogo", panel);
    await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
  });
});

test("shows the texts of the ranking", FULL_ONLY, async ({ visit, seen, community, seenAsChoice }) => {
  const page = await visit("visitor", "/?vista=ranking");
  await waitForHydration(page);
  const entry = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await seen("S2.3-15", "GOLD", entry("Guido Gold"));
  await expect(entry("Vera Verificada").getByText("GOLD")).toBeHidden();
  await seen("S2.3-16", "Calificar", entry("Vera Verificada").getByRole("link", { name: /^Calificar/ }));
  await expect(entry("Pedro Pendiente")).toBeHidden();

  const country = page.getByRole("banner").getByRole("combobox", { name: "País" });
  await country.selectOption("Panamá");
  await expect(page).toHaveURL("/?vista=ranking&pais=Panam%C3%A1#consultas");
  await seen("S2.3-17", "No hay psicólogos registrados en {country}.", page.getByRole("main"), { country: "Panamá" });
  await seenAsChoice("S2.3-18", "Todos", country);
  await expect(entry("Guido Gold")).toBeVisible();

  const verified = await community.sql<{ id: string; verified_at: Date }>(
    "select id, verified_at from psychologist_profiles where verified_at is not null",
  );
  await community.sql("update psychologist_profiles set verified_at = null");
  const empty = await visit("user", "/?vista=ranking");
  const said = empty.getByText("No hay psicólogos registrados");
  await seen("S2.3-18", "No hay psicólogos registrados aún.", said);
  await seen("S2.3-18", "...aún.", said);
  for (const { id, verified_at } of verified)
    await community.sql("update psychologist_profiles set verified_at = $2 where id = $1", [id, verified_at]);
});
