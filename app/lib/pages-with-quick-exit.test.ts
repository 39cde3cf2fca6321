import { expect, test } from "vitest";
import { offersQuickExit } from "./pages-with-quick-exit.ts";

test("offers the quick exit on the help page and on pages with texts of the community", () => {
  for (const path of [
    "/ayuda",
    "/buscar",
    "/nueva-consulta",
    "/perfil",
    "/notificaciones",
    "/perfil/foto",
    "/consulta/7",
    "/consulta/7/editar",
    "/respuesta/7/comentario",
    "/comentario/7/eliminar",
    "/psicologo/7",
    "/psicologo/7/resena",
    "/temas/familia",
  ])
    expect([path, offersQuickExit(path)]).toEqual([path, true]);
});

test("hides the quick exit on account pages and lists", () => {
  for (const path of ["/", "/home", "/auth", "/cuenta", "/planes", "/admin", "/contacto", "/perfiles", "/terms"])
    expect([path, offersQuickExit(path)]).toEqual([path, false]);
});
