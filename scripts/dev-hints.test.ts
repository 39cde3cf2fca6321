import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { devHints, PLACES } from "./dev-hints.ts";

test("lists only existing places", () => {
  for (const [place] of PLACES) expect(existsSync(join(import.meta.dirname, "..", place)), place).toBe(true);
  const lastRoute = readFileSync(join(import.meta.dirname, "..", "app/routes/not-found.tsx"), "utf8");
  expect(lastRoute).toContain('"correo"');
});

test("prints one place with its content per line", () => {
  expect(devHints()).toMatch(/^ {2}app\/routes\.ts +all pages with their files/m);
  expect(devHints()).toMatch(/^ {2}\/correo +the mails of the demo$/m);
});
