import { FULL_ONLY } from "../fixtures.ts";
import { expect, test } from "./situations.ts";

test("shows the texts of the landing page", FULL_ONLY, async ({ visit, seen }) => {
  const page = await visit("visitor", "/home");
  const header = page.getByRole("banner");
  await seen("S2.1-3", "Iniciar Sesión", header.getByRole("link", { name: "Iniciar Sesión" }));
  await seen("S2.1-3", "Registrarse", header.getByRole("link", { name: "Registrarse" }));

  const hero = page.getByRole("region", { name: "Conecta con Psicólogos Profesionales" });
  await seen("S2.1-4", "Conecta con Psicólogos Profesionales", hero.getByRole("heading", { level: 1 }));
  await seen("S2.1-5", "Comenzar Ahora", hero.getByRole("link", { name: "Comenzar Ahora" }));
  const explore = hero.getByRole("link", { name: "Explorar Consultas Públicas" });
  await seen(["S2.1-5", "S2.1-6"], "Explorar Consultas Públicas", explore);

  const band = page.getByRole("region", { name: "¿Listo para comenzar tu viaje?" });
  await seen("S2.1-8", "¿Listo para comenzar tu viaje?", band.getByRole("heading"));
  await seen("S2.1-8", "Crear Cuenta Gratis", band.getByRole("link", { name: "Crear Cuenta Gratis" }));
  await seen("S2.1-8", "Explorar Consultas Públicas", band.getByRole("link", { name: "Explorar Consultas Públicas" }));

  await seen("S1.3-4", "Invítanos un café", page.getByRole("main").getByRole("heading", { name: "Invítanos un café" }));
  const footer = page.getByRole("contentinfo");
  await seen("S2.0-18", "Términos de Servicio", footer.getByRole("link", { name: "Términos de Servicio" }));
  await seen("S2.0-18", "Privacidad", footer.getByRole("link", { name: "Privacidad" }));

  await explore.click();
  await expect(page).toHaveURL("/#consultas");
});
