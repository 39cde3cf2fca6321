import { boxOf } from "./boxes.ts";
import { unpackedChromium } from "./chromium.ts";
import { expect, test } from "./community.ts";
import { PHONE } from "./fixtures.ts";
import { expectFits } from "./screen-checks.ts";

/** The user's own font size in the browser: 200% of the usual 16 pixels. Media queries in rem depend on it. */
const DOUBLE_TEXT = "--blink-settings=defaultFontSize=32";
test.use({ launchOptions: { ...(await unpackedChromium()), args: [DOUBLE_TEXT] } });

test("shows the header in one row and whole labels with text of 200% on a phone of 320 pixels", async ({
  visit,
  community,
}) => {
  const author = await community.person();
  const id = await community.ask(author, { title: "Desoxirribonucleoproteínas", category: "Trabajo/Estudio" });
  for (const path of ["/", `/consulta/${id}`]) {
    const page = await visit("user", path, { viewport: { width: 320, height: 800 } });
    await expectFits(page);
    const [brand, menu, category, title] = await Promise.all(
      [".brand", ".icon-button.only-narrow", ".category", ".meta:has(.category) + *"].map((part) =>
        boxOf(page.locator(part).first()),
      ),
    );
    expect(menu!.y).toBeLessThan(brand!.y + brand!.height);
    expect(category!.x).toBe(title!.x);
  }
});

test("fits payments to be checked and their actions into a phone of 390 pixels", async ({ visit, community }) => {
  await community.sql(
    "insert into payment_problems (kind, provider, external_id, created_at) values ('unmatched', 'paypal', 'I-LARGE', now())",
  );
  const page = await visit("admin", "/admin/membresias", { viewport: PHONE });
  await expect(page.getByRole("button", { name: /^Marcar como atendido/ }).first()).toBeVisible();
  await expectFits(page);
});
