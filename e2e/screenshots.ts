import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { test } from "./fixtures.ts";
import { SCREENS, showScreen } from "./screens.ts";

const FOLDER = join(import.meta.dirname, "..", "screenshots");
const WIDTHS = [390, 1280];
/** Maximum height of a picture in pixels. Only the rest of a consultation's page is not repetitive. */
const TALLEST = 2600;
const TALLEST_CONSULTATION = 6000;
const GAP = 24;

/** Makes one sheet per screen for `npm run screenshots`: both widths, light and dark. These are not tests. */
for (const screen of SCREENS)
  test(screen.name, async ({ visit, threadFixture, watch }) => {
    if (screen.status) watch.expectStatus(screen.status);
    const pictures: Buffer[] = [];
    for (const width of WIDTHS) {
      const page = await visit(screen.as ?? "visitor", "about:blank", {
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: "light",
      });
      await showScreen(page, screen, threadFixture);
      await page.evaluate(() => document.fonts.ready);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        // A dialog covers only the viewport, so the picture must not be longer.
        const dialog = (await page.locator("dialog:modal").count()) > 0;
        const tallest = /^\/consulta\/[\w-]+$/.test(new URL(page.url()).pathname) ? TALLEST_CONSULTATION : TALLEST;
        pictures.push(
          await page.screenshot({
            fullPage: !dialog,
            animations: "disabled",
            clip: dialog ? undefined : { x: 0, y: 0, width, height: Math.min(height, tallest) },
          }),
        );
      }
      await page.close();
    }
    const sizes = await Promise.all(pictures.map((picture) => sharp(picture).metadata()));
    let left = GAP;
    const placed = pictures.map((input, index) => {
      const place = { input, top: GAP, left };
      left += sizes[index]!.width + GAP;
      return place;
    });
    mkdirSync(FOLDER, { recursive: true });
    const height = Math.max(...sizes.map((size) => size.height)) + 2 * GAP;
    await sharp({ create: { width: left, height, channels: 3, background: "#8a8580" } })
      .composite(placed)
      .jpeg({ quality: 82 })
      .toFile(join(FOLDER, `${screen.name.replace(/[^\p{L}\d]+/gu, "-")}.jpg`));
  });
