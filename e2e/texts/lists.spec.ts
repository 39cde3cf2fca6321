import { COUNTRIES } from "#shared/countries.ts";
import { SPECIALTIES } from "#shared/specialties.ts";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { expect, test } from "./situations.ts";

test("shows all specialties and countries in the registration", FULL_ONLY, async ({ visit, seenAsChoice }) => {
  const page = await visit("visitor", "/auth?modo=registro&tipo=psicologo");
  await waitForHydration(page);
  const main = page.getByRole("main");
  for (const name of SPECIALTIES) await seenAsChoice("S3.3-2", name, main.getByLabel("Especialidad"));
  const country = main.getByRole("combobox", { name: "País" });
  for (const name of COUNTRIES) await seenAsChoice("S3.3-3", name, country);
  await country.selectOption("Panamá");
  await expect(main.getByLabel("Número de matrícula")).toHaveAccessibleDescription(/idoneidad/);
  // "Todos" is only for filters.
  await expect(country.getByRole("option", { name: "Todos" })).toHaveCount(0);
});

test("shows all ratings in the review form", FULL_ONLY, async ({ visit, seen, community }) => {
  const page = await visit("user", `/psicologo/${community.people.verified!.id}`);
  await waitForHydration(page);
  const rating = page.getByRole("group", { name: "Calificación" });
  // Five stars are the default.
  await expect(rating.getByRole("radio", { name: /^5 de 5/ })).toBeChecked();
  for (const [at, word] of ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"].entries()) {
    await rating.getByRole("radio", { name: new RegExp(`^${at + 1} de 5`) }).check({ force: true });
    await seen("S3.3-5", word, rating.locator(".stars-input"));
    await expect(rating.locator(".stars-input")).toContainText(`${at + 1} ${word}`);
  }
});
