import { exceededBudgets, firstLoad } from "../scripts/bundle-size.ts";
import { expect, test, waitForHydration } from "./fixtures.ts";

const bytesByPath = (files: { path: string; bytes: number }[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]));

test("loads exactly the counted files for /, within the budget", async ({ page, baseURL }) => {
  // The budget is in gzip, but this browser would get Brotli.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  await page.goto("/", { waitUntil: "networkidle" });
  await waitForHydration(page);
  // After hydration the page loads the code of its forms (app/lib/preload-form-routes.ts). The theme switch's file is almost
  // empty.
  const THEME = /^\/assets\/theme-[^/]*\.js$/;
  await page.waitForFunction(
    (theme) =>
      performance.getEntriesByType("resource").some(({ name }) => new RegExp(theme).test(new URL(name).pathname)),
    THEME.source,
  );
  const transferred = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .map((entry) => ({ path: new URL(entry.name).pathname, bytes: entry.encodedBodySize }))
      .filter(({ path }) => /\.(js|css|woff2)$/.test(path)),
  );
  // The document grows with the texts of other tests.
  const assets = (await firstLoad(baseURL!)).filter(({ kind }) => kind !== "HTML");
  const counted = new Set(assets.map(({ path }) => path));
  const afterwards = transferred.filter(({ path }) => !counted.has(path));
  expect(afterwards.map(({ path }) => path)).toEqual([expect.stringMatching(THEME)]);
  const before = transferred.filter(({ path }) => counted.has(path));
  expect(bytesByPath(before)).toEqual(bytesByPath(assets));
  expect(exceededBudgets([...assets, ...afterwards.map((file) => ({ ...file, kind: "JavaScript" as const }))])).toEqual(
    [],
  );
});
