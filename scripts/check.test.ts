import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

const SETTINGS = ["package.json", "biome.json", "tsconfig.json", "scripts/imports.grit", "scripts/contents.grit"];

/** Runs a tool on some files with the settings of this repository. */
function said(tool: string, parameters: string[], files: Record<string, string>): { passes: boolean; text: string } {
  const folder = mkdtempSync(join(tmpdir(), "divan-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = SETTINGS.map((name) => [name, readFileSync(join(root, name), "utf8")]);
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

const unused = (files: Record<string, string>) => said("knip/bin/knip.js", ["--no-progress"], files);

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

/** Imports a value, for a file that may not. */
const from = (source: string) => `import { one } from "${source}";\n\nexport const two = one;\n`;
/** Files with a problem and a part of its message. */
const BAD: [path: string, message: string, source: string][] = [
  ["app/a/list.css", "Formatter would have printed", ".row{color:red}\n"],
  ["shared/count.ts", "Excessive complexity", branching(6)],
  ["shared/long.ts", "too many lines (301)", "console.log(1);\n".repeat(301)],
  ["shared/first.ts", "This import is part of a cycle", from("./second.ts")],
  ["shared/second.ts", "This import is part of a cycle", from("./first.ts").replace("two", "one")],
  ["shared/hash.ts", "shared imports only", from("node:crypto")],
  ["app/lib/card.ts", "lib imports no other folder", from("#app/ui/card.tsx")],
  ["app/ui/card.ts", "Shared parts of app import no feature", from("#app/answers/card.tsx")],
  ["app/reviews/card.ts", "A feature of app imports no other feature", from("#app/answers/card.tsx")],
  ["app/home/home.ts", "app imports only types", from("#server/context.ts")],
  ["app/home/form.ts", "app imports only types", from("zod")],
  ["app/home/test.ts", "The product imports no tests", from("#test/app.ts")],
  ["server/answers/card.ts", "The server imports only page-request", from("#app/answers/card.tsx")],
  ["server/answers/commands.ts", "Only routes import commands", from("../reviews/commands.ts")],
  ["server/answers/public.ts", "Use Db or PublicDb", from("../database/visible-types.ts")],
  ["server/mail/layout.ts", "The ground imports no feature", from("../accounts/store.ts")],
  ["server/answers/rules.ts", "Rules import only", from("./store.ts")],
  ["server/reviews/clock-rules.ts", "Rules get the time", "export const now = () => Date.now();\n"],
  ["server/reviews/time-rules.ts", "Rules get the time", "export const now = () => new Date();\n"],
  ["server/reviews/sql.ts", "SQL belongs in a store", 'export const all = (db: any) => db.selectFrom("reviews");\n'],
  ["shared/title.ts", "Only shared/product.ts", 'export const title = "Hola, Diván";\n'],
  ["shared/name.ts", "Names are English", "export const año = 1;\n"],
];

test("Biome refuses each bad file", () => {
  const files = Object.fromEntries(BAD.map(([path, , source]) => [path, source]));
  const command = ["check", "--error-on-warnings", "--max-diagnostics=none", "--reporter=github"];
  const problems = said("@biomejs/biome/bin/biome", command, files).text.split("\n");
  const reports = (path: string, message: string) =>
    problems.some((line) => line.includes(`/${path},`) && line.includes(message));
  expect(BAD.filter(([path, message]) => !reports(path, message))).toEqual([]);
});

test("knip refuses an unused export", () => {
  const main = { "server/main.ts": 'import { one } from "./one.ts";\n\nconsole.log(one);\n' };
  expect(unused({ ...main, "server/one.ts": "export const one = 1;\n" })).toMatchObject({ passes: true });
  const { passes, text } = unused({ ...main, "server/one.ts": "export const one = 1;\nexport const two = 2;\n" });
  expect(passes).toBe(false);
  expect(text).toMatch(/two\s.*server\/one\.ts/);
});
