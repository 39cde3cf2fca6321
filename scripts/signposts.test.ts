import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLACES, signposts } from "./signposts.ts";

test("every place that a development server names is there", () => {
  for (const [place] of PLACES) expect(existsSync(join(import.meta.dirname, "..", place)), place).toBe(true);
  const routes = readFileSync(join(import.meta.dirname, "..", "app/routes.ts"), "utf8");
  expect(routes).toContain('route("_ui"');
  const lastRoute = readFileSync(join(import.meta.dirname, "..", "app/routes/not-found.tsx"), "utf8");
  expect(lastRoute).toContain('"correo"');
});

test("a line says a place and what is there", () => {
  expect(signposts()).toMatch(/^ {2}app\/routes\.ts +every page and its file/m);
  expect(signposts()).toMatch(/^ {2}\/_ui +every part in every state$/m);
});
