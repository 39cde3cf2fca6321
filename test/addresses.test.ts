import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages } from "./pages.ts";

const ADDRESS = /\b(?:(?:to|action|href)(?:=|: )|(?:redirect|signInPath|navigate)\((?:args, )?)["`](\/[^"`]*)["`]/g;

/** Paths without a route: the API, a file, a feed, the parts of the interface in development, and the demo's mails. */
const NO_PAGE = /^\/(api\/|_ui\b|favicon|icon-|manifest|feed\.xml|correo$)/;

test("uses an existing page or href() for every path in a link, form or redirect", () => {
  const paths = new Set(pages.map(({ path }) => path));
  const astray = [];
  let found = 0;
  const root = join(import.meta.dirname, "..");
  for (const file of globSync("app/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] })) {
    const source = readFileSync(join(root, file), "utf8");
    for (const [, address = ""] of source.matchAll(ADDRESS)) {
      found++;
      const path = address.split(/[?#]|\$\{/)[0]!;
      if (!paths.has(path) && !NO_PAGE.test(path)) astray.push(`${file}: ${address}`);
    }
  }
  expect(astray).toEqual([]);
  expect(found).toBeGreaterThan(100);
});
