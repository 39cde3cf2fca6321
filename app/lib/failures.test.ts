import { describe, expect, test } from "vitest";
import routes from "../routes.ts";
import { errorWords } from "./error-words.ts";
import { FAILURES, failure } from "./failures.ts";

describe("messages of generic errors", () => {
  test("exist only for existing routes", () => {
    const paths = new Set(routes.flatMap(({ children = [] }) => children).map(({ path }) => path ?? "/"));
    expect(Object.keys(FAILURES).filter((path) => !paths.has(path))).toEqual([]);
  });

  test("replaces a generic error by the route's own message if there is one", () => {
    const said = (pattern: string, doing: string) => errorWords(failure(pattern, doing, { code: "unavailable" }).code);
    expect(said("consulta/:id/voto", "act")).toEqual({ title: "Error", description: "No se pudo registrar tu voto" });
    expect(said("nueva-consulta", "act").description).toBe("No se pudo crear la consulta");
    expect(said("nueva-consulta", "load").title).toBe("No hemos podido guardar ni leer los datos");
    expect(said("psicologo/:id/resena", "delete").title).toBe("No hemos podido guardar ni leer los datos");
  });

  test("keeps an error that has its own message", () => {
    const limit = { code: "weekly_limit_reached", facts: { days_until_reset: 3 } } as const;
    expect(failure("nueva-consulta", "act", limit)).toEqual(limit);
  });

  test("keeps the facts of the error", () => {
    const transient = { code: "unavailable", facts: { retry_after_seconds: 5 } } as const;
    expect(failure("perfil", "act", transient)).toEqual({ ...transient, code: "changes_not_saved" });
  });
});
