import { describe, expect, test } from "vitest";
import { pages } from "#test/pages.ts";
import { errorMessage } from "./error-messages.ts";
import { ROUTE_ERRORS, toRouteError } from "./route-errors.ts";

describe("messages of generic errors", () => {
  test("exist only for existing routes", () => {
    const paths = new Set(pages.map(({ path }) => path));
    expect(Object.keys(ROUTE_ERRORS).filter((path) => !paths.has(`/${path}`.replace("//", "/")))).toEqual([]);
  });

  test("replaces a generic error by the route's own message if there is one", () => {
    const said = (pattern: string, routeOperation: string) =>
      errorMessage(toRouteError(pattern, routeOperation, { code: "unavailable" }).code);
    expect(said("consulta/:id/voto", "act")).toEqual({ title: "Error", description: "No se pudo registrar tu voto" });
    expect(said("nueva-consulta", "act").description).toBe("No se pudo crear la consulta");
    expect(said("nueva-consulta", "load").title).toBe("No hemos podido guardar ni leer los datos");
    expect(said("psicologo/:id/resena", "delete").title).toBe("No hemos podido guardar ni leer los datos");
  });

  test("keeps an error that has its own message", () => {
    const limit = { code: "weekly_limit_reached", details: { days_until_reset: 3 } } as const;
    expect(toRouteError("nueva-consulta", "act", limit)).toEqual(limit);
  });

  test("keeps the facts of the error", () => {
    const transient = { code: "unavailable", details: { retry_after_seconds: 5 } } as const;
    expect(toRouteError("perfil", "act", transient)).toEqual({ ...transient, code: "save_failed" });
  });
});
