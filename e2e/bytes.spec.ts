import { brotliCompressSync, constants } from "node:zlib";
import { expect, test, waitForHydration } from "./fixtures.ts";
import { currentRun, startPrivateServer } from "./server.ts";

/** Largest transferred bytes without headers: files with gzip, the document with Brotli as the page cache has it. */
const BUDGET = { html: 12_000, js: 130_000, css: 14_000, woff2: 65_000 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

test("loads / of a new community within the budget", async ({ page, watch }) => {
  // Its own community, because the document grows with the texts of other tests.
  await using server = await startPrivateServer(currentRun().administrativeUrl);
  watch.expectOrigin(server.url);
  // This browser would get Brotli.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  const html = await (await page.goto(server.url, { waitUntil: "networkidle" }))!.text();
  await waitForHydration(page);
  // The page loads the code of its forms last (app/lib/network-errors.ts).
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/theme-")),
  );
  const files = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).map(
      ({ name, encodedBodySize }): [string, number] => [new URL(name).pathname, encodedBodySize],
    ),
  );
  // The browser also loads the files of the inline style sheets.
  const document = brotliCompressSync(html.replace(/<style>.*?<\/style>/gs, ""), BROTLI).length;
  for (const [kind, most] of Object.entries(BUDGET)) {
    const loaded = [["home.html", document] as const, ...files].filter(([path]) => path.endsWith(`.${kind}`));
    const sum = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(sum, `bytes of ${loaded}`).toBeGreaterThan(most / 4);
    expect(sum, `bytes of ${loaded}`).toBeLessThanOrEqual(most);
  }
});
