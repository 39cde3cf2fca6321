import { expect, PHONE_DEVICE, test, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("opens a dialog to rate in the ranking and restores the focus", async ({ openPage }) => {
  const page = await openPage({ as: "user" });
  await page.goto("/?vista=ranking");
  await waitForHydration(page, ".ranking-entry");
  const rate = page.getByRole("link", { name: /^Calificar: / }).first();
  const name = (await rate.getAttribute("aria-label"))!;
  await rate.press("Enter");
  const dialog = page.getByRole("dialog", { name });
  await expect(dialog.getByRole("radio", { name: /^5 de 5/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(rate).toBeFocused();
});
