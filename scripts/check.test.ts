import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Runs a tool on some files with the settings of this repository. */
function said(tool: string, parameters: string[], files: Record<string, string>): { passes: boolean; text: string } {
  const folder = mkdtempSync(join(tmpdir(), "divan-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = ["package.json", "biome.json", "tsconfig.json"].map((name) => [
    name,
    readFileSync(join(root, name), "utf8"),
  ]);
  for (const [path, source] of [...settings, ...Object.entries(files)] as [string, string][]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "node_modules", tool), ...parameters], {
    cwd: folder,
    encoding: "utf8",
  });
  return { passes: status === 0, text: `${stdout}${stderr}` };
}

const lint = (files: Record<string, string>) =>
  said("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"], files);
const unused = (files: Record<string, string>) => said("knip/bin/knip.js", ["--no-progress"], files);

test("Biome refuses unformatted CSS", () => {
  expect(lint({ "app/a/list.css": ".row {\n  color: red;\n}\n" })).toMatchObject({ passes: true });
  const { passes, text } = lint({ "app/a/list.css": ".row{color:red}\n" });
  expect(passes).toBe(false);
  expect(text).toContain("app/a/list.css format");
});

/** A function with the given number of branches inside two nested loops; each branch counts 3. */
const branching = (branches: number) =>
  `export function count(lists: number[][]): number {
  let sum = 0;
  for (const list of lists) {
    for (const one of list) {
${Array.from({ length: branches }, (_, at) => `      if (one === ${at}) sum += ${at};\n`).join("")}    }
  }
  return sum;
}
`;

test("Biome refuses a function with a complexity over 20", () => {
  expect(lint({ "shared/count.ts": branching(5) })).toMatchObject({ passes: true });
  const { passes, text } = lint({ "shared/count.ts": branching(6) });
  expect(passes).toBe(false);
  expect(text).toContain("noExcessiveCognitiveComplexity");
});

test("knip refuses an unused export", () => {
  const main = { "server/main.ts": 'import { one } from "./one.ts";\n\nconsole.log(one);\n' };
  expect(unused({ ...main, "server/one.ts": "export const one = 1;\n" })).toMatchObject({ passes: true });
  const { passes, text } = unused({ ...main, "server/one.ts": "export const one = 1;\nexport const two = 2;\n" });
  expect(passes).toBe(false);
  expect(text).toMatch(/two\s.*server\/one\.ts/);
});

test("knip refuses a file that no other file imports", () => {
  const { passes, text } = unused({ "server/main.ts": "console.log(1);\n", "server/one.ts": "export {};\n" });
  expect(passes).toBe(false);
  expect(text).toContain("server/one.ts");
});
