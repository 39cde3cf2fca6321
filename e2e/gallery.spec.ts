import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures.ts";

test("what is built has no page of parts", async ({ page, request, watch }) => {
  watch.expectStatus(404);
  expect((await request.get("/_ui")).status()).toBe(404);
  expect((await request.get("/_ui.data")).status()).not.toBe(200);
  await page.goto("/_ui");
  await expect(page.getByRole("heading", { level: 1, name: "Página no encontrada" })).toBeVisible();
  const build = join(import.meta.dirname, "..", "build");
  for (const folder of ["client/assets", "server"])
    for (const name of readdirSync(join(build, folder)).filter((file) => file.endsWith(".js"))) {
      expect(name).not.toMatch(/gallery|samples/);
      expect(readFileSync(join(build, folder, name), "utf8"), name).not.toContain("Piezas de la interfaz");
    }
});

test("every part of app/ui is among the samples", () => {
  const folder = join(import.meta.dirname, "..", "app", "ui");
  const files = readdirSync(folder).filter((name) => /\.tsx$/.test(name));
  const isSamples = (name: string) => /^samples(-\w+)?\./.test(name);
  const samples = files
    .filter(isSamples)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  const parts = files.filter((name) => !isSamples(name));
  expect(parts.filter((name) => !samples.includes(`"./${name}"`))).toEqual([]);
});
