import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeRedirectAfterSignIn } from "./safe-redirect.ts";

const OWN = "https://divan.example";

describe("safeRedirectAfterSignIn", () => {
  test.each([
    ["/", "/"],
    ["/consulta/7?orden=votos#respuestas", "/consulta/7?orden=votos#respuestas"],
    ["/nueva-consulta", "/nueva-consulta"],
    ["/buscar?q=ansiedad y sueño", "/buscar?q=ansiedad%20y%20sue%C3%B1o"],
    ["/a/../b", "/b"],
    ["/authors", "/authors"],
    ["/%09/evil.example", "/%09/evil.example"],
  ])("maps %j to the path %j", (path, expected) => {
    expect(safeRedirectAfterSignIn(path)).toBe(expected);
  });

  const FOREIGN = [
    ..."consulta //evil.example /\\evil.example \\\\evil.example /.//evil.example /a/..//evil.example".split(" "),
    ..."/%2e%2e//evil.example /.\\/evil.example https:evil.example https://evil.example http:evil @evil.example".split(
      " ",
    ),
    ..."javascript:alert(1) :80 /auth /auth/confirmar?token=x /auth/../auth/recuperar /x/../auth /salir".split(" "),
    ..."/tema?theme=dark /Auth /SALIR /%61uth /%41uth/confirmar /%ff".split(" "),
    ...["/\t/evil.example", "/\u0000/evil.example", " //evil.example", "\t//evil.example", `/${"a".repeat(500)}`, ""],
  ];
  test.each([undefined, null, ...FOREIGN])("maps %j to /", (path) => {
    expect(safeRedirectAfterSignIn(path)).toBe("/");
  });

  test("returns a path of our origin outside the sign-in pages for any text", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          ..."/ \\ // . .. %2f %5c %09 \t \n @ : # ? auth salir https: javascript: evil.example".split(" "),
        ),
        fc.constantFrom("%2e", " ", "\u3002", "／", "\u0000", "\ud800"),
        fc.string({ maxLength: 4, unit: "binary" }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, slash) => {
        const path = safeRedirectAfterSignIn((slash ? "/" : "") + parts.join(""));
        expect(path).toMatch(/^\/(?![/\\])/);
        const target = new URL(path, OWN);
        expect(target.origin).toBe(OWN);
        expect(target.pathname).not.toMatch(/^\/(auth|salir|tema)(?![\w-])/i);
      }),
      { numRuns: 3_000 },
    );
  });
});
