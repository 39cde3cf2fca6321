/** Memory of cached pages. Runs in a separate process, because the buffers of other tests would count too. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { setUpTestApp } from "#test/suite-setup.ts";

const app = setUpTestApp({ pageCache: true });

test("holds less than 20 KB outside the heap for each cached page", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const paths = COUNTRIES.flatMap((country) =>
    CATEGORIES.map((category) => `/?pais=${encodeURIComponent(country)}&categoria=${encodeURIComponent(category)}`),
  );
  const get = async (path: string) => (await fetch(app.url + path, { headers: { "accept-encoding": "br" } })).text();
  await get(paths[0]!);
  const before = used();
  const { renders } = app.cache!.counted;
  for (const path of paths) await get(path);
  expect(app.cache!.counted.renders).toBe(renders + paths.length - 1);
  // Buffers of finished requests are freed a little later.
  await expect.poll(() => (used() - before) / paths.length, { timeout: 10_000 }).toBeLessThan(20_000);
});
