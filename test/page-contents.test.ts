import { expect, test } from "vitest";
import { licenceHint } from "#app/accounts/licence-hint.ts";
import community from "../server/demo/community.json" with { type: "json" };
import { setUpTestApp } from "./suite-setup.ts";
import { openThread } from "./threads.ts";

const DONATION = "https://cafe.example.org/divan";
const app = setUpTestApp({ environment: { DONATION_URL: DONATION } });

/** Returns the main part of a page without scripts. */
const mainOf = async (...request: Parameters<typeof app.page>) =>
  /<main[\s\S]*<\/main>/.exec((await app.page(...request)).text)![0].replace(/<script[\s\S]*?<\/script>/g, "");
const wordsOf = (html: string) => html.replace(/<!--.*?-->|<[^>]*>/g, " ").replace(/\s+/g, " ");

test("shows the donation as a text link without an image of another site in its three places", async () => {
  const { consultation } = await openThread(app);
  for (const [path, as] of [
    ["/home", null],
    ["/", await app.person()],
    [`/consulta/${consultation}`, await app.person({ type: "psychologist" })],
  ] as const) {
    const main = await mainOf(path, as);
    expect(main, path).toMatch(new RegExp(`<a[^>]*href="${DONATION}"[^>]*>`));
    expect(main, path).toContain("Invítanos un café");
    expect(main, path).not.toMatch(/<img[^>]*src="http/);
  }
});

test("shows the minimum age and the refusal of refunds in the terms", async () => {
  const words = wordsOf(await mainOf("/terms"));
  expect(words).toContain("Debes tener 18 años o más, o contar con la autorización de tu madre, padre");
  expect(words).toContain("No hay devoluciones una vez pagado");
});

test("shows no number in the headings and paragraphs of the landing page", async () => {
  const texts = (await mainOf("/home")).match(/<(h[123]|p)\b[\s\S]*?<\/\1>/g)!;
  expect(texts.length).toBeGreaterThan(8);
  for (const text of texts) expect(wordsOf(text)).not.toMatch(/\d/);
});

test("warns that WhatsApp shows the visitor's number to the psychologist", async () => {
  const psychologist = await app.person({ type: "psychologist" });
  const path = `/psicologo/${psychologist.id}`;
  expect(await mainOf(path)).not.toContain("WhatsApp, se ve tu número");
  await app.sql("update psychologist_profiles set whatsapp = '+54 9 341 555 0147' where id = $1", [psychologist.id]);
  const main = await mainOf(path);
  expect(main).toMatch(/href="[^"]*5493415550147/);
  expect(main).toContain("Si escribes por WhatsApp, se ve tu número.");
});

test("shows how to clear a browser's history on the help page", async () => {
  const words = wordsOf(await mainOf("/ayuda"));
  for (const browser of ["Chrome en el teléfono", "Safari en iPhone", "Samsung Internet", "Firefox"])
    expect(words).toContain(browser);
});

test("shows each country's first lines with hours and cost on the help page", async () => {
  type Line = Record<"dial_number" | "hours" | "shown_number", string> & { cost: string | null; reach: string | null };
  const { body } = await app.call<{ country: string | null; first: Line[]; emergency: Line[] }[]>(
    "GET",
    "/help-lines/all",
  );
  const main = await mainOf("/ayuda");
  const words = wordsOf(main);
  for (const { country, first, emergency } of body) {
    if (!country) continue;
    expect(main).toContain(`href="/ayuda?pais=${encodeURIComponent(country)}"`);
    for (const { shown_number, hours, cost, reach } of first) {
      // A line with limited reach must show the limit.
      const limit = reach?.startsWith("Desde ") ? null : reach;
      for (const fact of [shown_number, hours, cost?.toLocaleLowerCase("es"), limit])
        if (fact) expect(words, country).toContain(fact);
    }
    for (const { dial_number } of [...first, emergency[0]!])
      expect(main, country).toContain(`href="tel:${encodeURIComponent(dial_number)}"`);
  }
  // Countries that are not in the list, on screen and in print.
  for (const title of ["Mi país no está en la lista", "En cualquier otro país"]) expect(words).toContain(title);
});

test("shows the numbers of the other countries below the chosen country's", async () => {
  const onScreen = (await mainOf("/ayuda?pais=Chile")).split("print-only")[0]!;
  const [chosen, others] = onScreen.split('id="others"') as [string, string];
  expect(chosen).toContain('href="tel:*4141"');
  expect(chosen).not.toContain('href="tel:8009112000"');
  expect(others).toContain('href="tel:8009112000"');
});

test("shows statistics and the membership on the profile with Gold, and the promotion without it", async () => {
  const owner = await app.person({ type: "psychologist", gold: "active" });
  await app.sql("update psychologist_profiles set total_responses = 1 where id = $1", [owner.id]);
  const gold = wordsOf(await mainOf("/perfil", owner));
  for (const words of ["Visitas al perfil", "Respuestas totales", "Reseñas recibidas", "Votos recibidos"])
    expect(gold).toContain(words);
  expect(gold.indexOf("Editar perfil")).toBeLessThan(gold.indexOf("Estadísticas de tu perfil"));
  expect(gold).not.toContain("Lanzamiento");
  const without = wordsOf(await mainOf("/perfil", await app.person({ type: "psychologist" })));
  expect(without).toMatch(/Para los primeros 100 profesionales: quedan \d+ lugares/);
  expect(without).not.toContain("Visitas al perfil");
});

test("uses each portrait for only one psychologist of the demo", () => {
  const portraits = community.psychologists.flatMap(({ portrait }) => portrait ?? []);
  expect(portraits.length).toBeGreaterThan(5);
  expect(new Set(portraits).size).toBe(portraits.length);
});

test.each([
  ["Argentina", /matrícula nacional \(MN\) o provincial \(MP\)/],
  ["México", /cédula profesional/],
  ["España", /número de colegiación, con el colegio/],
  ["Colombia", /tarjeta profesional de COLPSIC/],
  ["Chile", /Registro de Prestadores/],
  ["Perú", /C\.Ps\.P\./],
  ["Venezuela", /FPV/],
  ["Paraguay", /registro profesional/],
  ["Uruguay", /título en el Ministerio de Salud Pública/],
  ["Ecuador", /SENESCYT/],
  ["Panamá", /idoneidad/],
] as const)("names the licence number of %s in its own words", (country, words) => {
  expect(licenceHint(country)).toMatch(words);
});

test.each(["/auth", "/auth?modo=registro", "/home"])("redirects a signed-in user from %s to /", async (path) => {
  const { status, headers } = await app.page(path, await app.person());
  expect([status, headers.get("location")]).toEqual([302, "/"]);
});
