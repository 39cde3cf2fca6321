import { expect, expectToast, test } from "./community.ts";
import { waitForHydration } from "./fixtures.ts";
import { focusAndPress, tabTo } from "./keys.ts";
import { expectAccessible } from "./screen-checks.ts";

test("a psychologist can insert and store texts by keyboard", async ({ visit, community }) => {
  const psychologist = await community.person({ type: "psychologist" });
  const id = await community.ask(await community.person(), { title: "La que se responde con textos guardados" });
  await community.call(psychologist, "PUT", "/profile/templates", { title: "Cierre", content: "Un abrazo." });
  const page = await visit(psychologist, `/consulta/${id}`);
  const { keyboard } = page;
  const text = page.getByRole("textbox", { name: "Tu respuesta" });
  const texts = page.locator("summary", { hasText: "Mis textos" });
  await tabTo(page, text);
  await keyboard.type("Gracias por contarlo. ¿Desde cuándo te pasa?");
  // Moves the cursor behind the first sentence.
  await keyboard.press("Home");
  for (let n = 0; n < "Gracias por contarlo.".length; n++) await keyboard.press("ArrowRight");
  await focusAndPress(page, texts);
  await focusAndPress(page, page.getByRole("button", { name: "Cierre" }));
  await expect(text).toBeFocused();
  await expect(text).toHaveValue("Gracias por contarlo.\n\nUn abrazo. ¿Desde cuándo te pasa?");
  await expect(page.getByText("Guardado en")).toHaveCount(0);
  // The inserted text must not replace the selected text.
  await keyboard.press("Shift+End");
  const insert = page.getByRole("button", { name: "Cierre" });
  await expect(insert).not.toHaveAttribute("aria-busy");
  await focusAndPress(page, insert);
  const written = "Gracias por contarlo.\n\nUn abrazo. ¿Desde cuándo te pasa?\n\nUn abrazo.";
  await expect(text).toHaveValue(written);

  await focusAndPress(page, page.getByRole("button", { name: "Guardar lo escrito como texto" }));
  await expect(page.getByRole("status").filter({ hasText: "Guardado en «Mis textos»" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Gracias por contarlo." })).toBeVisible();
  await expectAccessible(page, "an answer with stored texts");
  await page.reload();
  await waitForHydration(page);
  await expect(text).toHaveValue(written);
  await focusAndPress(page, page.getByRole("button", { name: "Enviar respuesta" }));
  await expectToast(page, "¡Respuesta enviada!");
});

test("says that a text could not be stored, not that the answer could not be sent", async ({ visit, community }) => {
  const psychologist = await community.person({ type: "psychologist" });
  const page = await visit(psychologist, `/consulta/${await community.ask(await community.person())}`);
  await page.getByRole("textbox", { name: "Tu respuesta" }).fill("Gracias por contarlo.");
  await page.locator("summary", { hasText: "Mis textos" }).click();
  await page.route(/respuesta\.data/, (route) => route.abort());
  await page.getByRole("button", { name: "Guardar lo escrito como texto" }).click();
  await expectToast(page, "No se pudo guardar el texto");
});
