import { expect, test } from "vitest";
import { offersQuickExit } from "./quick-exit-pages.ts";

test("the quick exit is where help is found and wherever the community is read or written", () => {
  for (const path of [
    "/ayuda",
    "/nueva-consulta",
    "/perfil",
    "/perfil/foto",
    "/consulta/7",
    "/consulta/7/editar",
    "/respuesta/7/comentario",
    "/comentario/7/eliminar",
    "/psicologo/7",
    "/psicologo/7/resena",
  ])
    expect([path, offersQuickExit(path)]).toEqual([path, true]);
});

test("it is not where an account is kept, nor on the lists that Back leads to", () => {
  for (const path of ["/", "/home", "/auth", "/cuenta", "/planes", "/admin", "/contacto", "/perfiles", "/terms"])
    expect([path, offersQuickExit(path)]).toEqual([path, false]);
});
