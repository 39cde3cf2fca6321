import { join } from "node:path";
import { expect, test } from "vitest";
import { cyclesOfFolders, repositoryFiles } from "./check-structure.ts";
import { folderCycles } from "./folder-cycles.ts";

const files = (...edges: string[]) => {
  const found = new Map<string, { target: string }[]>();
  for (const edge of edges) {
    const [path, target] = edge.split(" > ") as [string, string];
    found.set(path, [...(found.get(path) ?? []), { target }]);
    found.set(target, found.get(target) ?? []);
  }
  return Array.from(found, ([path, imports]) => ({ path, imports }));
};

test("folderCycles reports two folders that import each other, with an import per edge", () => {
  expect(
    folderCycles(files("server/a/one.ts > server/b/two.ts", "server/b/subfolder/three.ts > server/a/four.ts")),
  ).toEqual([
    "server/a -> server/b -> server/a is a cycle of folders: server/a/one.ts imports server/b/two.ts; server/b/subfolder/three.ts imports server/a/four.ts.",
  ]);
});

test("folderCycles reports a cycle of several folders, also across roots", () => {
  const problems = folderCycles(
    files("server/a/one.ts > server/b/two.ts", "server/b/two.ts > app/c/three.ts", "app/c/four.ts > server/a/five.ts"),
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("app/c -> server/a -> server/b -> app/c");
});

test("folderCycles treats a file in a root as its own folder", () => {
  expect(folderCycles(files("server/app.ts > server/a/one.ts", "server/a/one.ts > server/context.ts"))).toEqual([]);
  expect(folderCycles(files("server/app.ts > server/a/one.ts", "server/a/one.ts > server/app.ts"))).toHaveLength(1);
});

test("folderCycles ignores imports within a folder and of packages", () => {
  expect(
    folderCycles(
      files("server/a/one.ts > server/a/two.ts", "server/a/two.ts > server/a/one.ts", "server/a/one.ts > zod"),
    ),
  ).toEqual([]);
});

test("cyclesOfFolders returns no cycle for this repository, including type imports", () => {
  const files = repositoryFiles(join(import.meta.dirname, ".."));
  expect(cyclesOfFolders(files)).toEqual([]);
  const withType = new Map(files).set(
    "server/limits/odd.ts",
    'import type { AccountView } from "../accounts/store.ts";',
  );
  expect(cyclesOfFolders(withType)).not.toEqual([]);
});
