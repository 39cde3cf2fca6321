import { firstLoad, tooHeavy } from "../scripts/bytes.ts";
import { alive, expect, test } from "./fixtures.ts";

const bytesByPath = (files: { path: string; bytes: number }[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]));

test("a visitor's browser loads for / what the count says, and no more than the budget", async ({ page, baseURL }) => {
  // On this machine a browser would be sent Brotli; the budget is in gzip, which every browser takes.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  await page.goto("/", { waitUntil: "networkidle" });
  await alive(page);
  // Once alive, the page fetches the code behind its forms (app/lib/forms-ready.ts): that of the theme switch is all but empty.
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
  const { assets } = await firstLoad(baseURL!);
  const counted = new Set(assets.map(({ path }) => path));
  const afterwards = transferred.filter(({ path }) => !counted.has(path));
  expect(afterwards.map(({ path }) => path)).toEqual([expect.stringMatching(THEME)]);
  const before = transferred.filter(({ path }) => counted.has(path));
  expect(bytesByPath(before)).toEqual(bytesByPath(assets));
  expect(tooHeavy([...assets, ...afterwards.map((file) => ({ ...file, kind: "JavaScript" as const }))])).toEqual([]);
});
