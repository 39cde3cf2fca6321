import { join } from "node:path";
import { expect, test } from "vitest";
import { circlesOfFolders, repositoryFiles } from "./check-structure.ts";
import { folderCircles } from "./folder-circles.ts";

/** Files and what they import: "a/b/c.ts > a/d/e.ts". */
const files = (...arrows: string[]) => {
  const found = new Map<string, { target: string }[]>();
  for (const arrow of arrows) {
    const [path, target] = arrow.split(" > ") as [string, string];
    found.set(path, [...(found.get(path) ?? []), { target }]);
    found.set(target, found.get(target) ?? []);
  }
  return Array.from(found, ([path, imports]) => ({ path, imports }));
};

test("folders that import from each other are a circle, with an import for each arrow", () => {
  expect(
    folderCircles(files("server/a/one.ts > server/b/two.ts", "server/b/room/three.ts > server/a/four.ts")),
  ).toEqual([
    "server/a -> server/b -> server/a is a circle of folders: server/a/one.ts imports server/b/two.ts; server/b/room/three.ts imports server/a/four.ts.",
  ]);
});

test("so are folders that do by way of others, across the roots as well", () => {
  const problems = folderCircles(
    files("server/a/one.ts > server/b/two.ts", "server/b/two.ts > app/c/three.ts", "app/c/four.ts > server/a/five.ts"),
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("app/c -> server/a -> server/b -> app/c");
});

test("a file directly in a root stands for itself: what it lists may import another one beside it", () => {
  expect(folderCircles(files("server/app.ts > server/a/one.ts", "server/a/one.ts > server/context.ts"))).toEqual([]);
  expect(folderCircles(files("server/app.ts > server/a/one.ts", "server/a/one.ts > server/app.ts"))).toHaveLength(1);
});

test("files of one folder, and what is no file of ours, make no circle", () => {
  expect(
    folderCircles(
      files("server/a/one.ts > server/a/two.ts", "server/a/two.ts > server/a/one.ts", "server/a/one.ts > zod"),
    ),
  ).toEqual([]);
});

test("this repository has none, types included", () => {
  const files = repositoryFiles(join(import.meta.dirname, ".."));
  expect(circlesOfFolders(files)).toEqual([]);
  const withType = new Map(files).set(
    "server/limits/odd.ts",
    'import type { AccountView } from "../accounts/store.ts";',
  );
  expect(circlesOfFolders(withType)).not.toEqual([]);
});
