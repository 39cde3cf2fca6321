import { openMenu } from "../fixtures.ts";
import { expect, ROLES, test } from "./situations.ts";

/** Menu entries and the roles that have them. Other roles must not have them. */
const MENU = [
  { text: "Mi Perfil", has: ["user", "pending", "verified", "gold", "admin"] },
  { text: "Ver Perfil Público", has: ["pending", "verified", "gold"] },
  { text: "Panel de Administración", has: ["admin"] },
  { text: "Cerrar Sesión", has: ["user", "pending", "verified", "gold", "admin"] },
];

for (const role of ROLES)
  test(`shows the header's texts to the role ${role}`, async ({ visit, seen }) => {
    const page = await visit(role, "/");
    const header = page.getByRole("banner");
    await seen("S2.2-7", "Necesito ayuda ahora", header.getByRole("link", { name: "Necesito ayuda ahora" }));
    const signIn = header.getByRole("link", { name: "Iniciar Sesión" }).filter({ visible: true });
    if (role === "visitor") {
      await seen("S2.2-4", "Inicio", header.getByRole("navigation").getByRole("link", { name: "Inicio" }));
      await seen("S2.2-4", "Iniciar Sesión", signIn);
    } else {
      await expect(signIn).toHaveCount(0);
      await openMenu(page);
    }
    for (const { text, has } of MENU) {
      // "Mi Perfil" may carry a mark for new answers.
      const entry = header.getByText(text).filter({ visible: true });
      if (has.includes(role)) await seen("S2.2-3", text, entry);
      else await expect(entry).toHaveCount(0);
    }
  });
