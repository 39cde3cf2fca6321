import { openMenu } from "../fixtures.ts";
import { test } from "./situations.ts";

// test/page-roles.test.ts shows which role has which entry.
test("shows the header's texts", async ({ visit, seen }) => {
  const banner = (await visit("visitor", "/")).getByRole("banner");
  await seen("S2.2-7", "Necesito ayuda ahora", banner.getByRole("link", { name: "Necesito ayuda ahora" }));
  await seen("S2.2-4", "Inicio", banner.getByRole("navigation").getByRole("link", { name: "Inicio" }));
  const signIn = banner.getByRole("link", { name: "Iniciar Sesión" }).filter({ visible: true });
  await seen("S2.2-4", "Iniciar Sesión", signIn);
  for (const [role, texts] of [
    ["gold", ["Mi Perfil", "Ver Perfil Público", "Cerrar Sesión"]],
    ["admin", ["Panel de Administración"]],
  ] as const) {
    const page = await visit(role, "/");
    await openMenu(page);
    for (const text of texts)
      await seen("S2.2-3", text, page.getByRole("banner").getByText(text).filter({ visible: true }));
  }
});
