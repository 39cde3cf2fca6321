import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import pages from "#app/routes.ts";
import { PLACES, signposts } from "./signposts.ts";

test("every place that a development server names is there", () => {
  for (const [place] of PLACES) expect(existsSync(join(import.meta.dirname, "..", place)), place).toBe(true);
  const paths = JSON.stringify(pages);
  for (const page of ["_ui", "correo"]) expect(paths).toContain(`"${page}"`);
});

test("a line says a place and what is there", () => {
  expect(signposts()).toMatch(/^ {2}app\/routes\.ts +every page and its file/m);
  expect(signposts()).toMatch(/^ {2}\/_ui +every part in every state$/m);
});
