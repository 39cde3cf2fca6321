/** Checks where files lie, what they are called and what they import. The tables are the rules. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "vite";
import { PRODUCT_NAME } from "#shared/product.ts";
import { folderCycles } from "./folder-cycles.ts";
import { wordProblems } from "./forbidden-words.ts";
import { APP_MAY, type Import, importProblem } from "./import-rules.ts";
import { FEATURE_FILES, GROUND, kindOf, PROVIDER_FILES, place, SERVER_FEATURES, SUBFOLDERS, words } from "./places.ts";
import { sizeProblems } from "./sizes.ts";

/** The allowed entries of the repository's root. A new entry is a decision, so it is a change here too. */
const TOP =
  words(`app server shared migrations test e2e bench scripts docs public .ci .github .vscode .gitignore .npmrc README.md
  CONTRIBUTING.md LICENSE package.json package-lock.json tsconfig.json biome.json vite.config.ts vitest.config.ts
  playwright.config.ts react-router.config.ts`);
const APP_FILES = words("root.tsx routes.ts entry.server.tsx entry.client.tsx app.css prose.d.ts");
const SERVER_FILES = words(
  `main primary worker processes lifetime log app audit background concurrency config context cursor fair-queue jobs
  listen openapi queues tokens versions`,
);
/** What stands between the network and the features. */
const HTTP_FILES = words(
  `build-files first-paint content-negotiation page-cache page-keys page-tags photos shell api pages errors body security-headers
  origin padding known-body internal-request request-queues page-changes`,
);
/** Folders of the server besides the features and the ground. */
const SERVER_LAYERS = words("http demo");
/** Folders in which every file is a thing of its own, with a name listed below. */
const FOLDERS_OF_NOUNS = words("database integrations");

/** Further names that a server feature may use, each with what makes it a thing of its own. */
const NOUNS: Record<string, string> = {
  "database/handles": "what everyone may read, what commands need, and transactions are three types",
  "database/faults": "which errors are outages, and how they are logged",
  "database/replica": "when public reads may come from a replica",
  "database/connection-check": "what a start demands of its connections",
  "database/types": "made from the migrations by a program",
  "database/visible-types": "made from the migrations by a program",
  "database/keyset": "how the stores of several features read a page of a list in its order",
  "database/migrate": "runs before anything else of the server",
  "database/embedded": "starts and stops a server of its own",
  "database/programs": "finds the embedded server's programs, and the user who may run them",
  "database/postmaster": "what a data folder and the machine say of a running server",
  "database/trusted-copy": "copies programs to where only root can change them, whatever they do",
  "database/job-connections": "the job queue's connections are its own, and one of them listens",
  "database/listening": "LISTEN on a connection that is replaced when it is lost",
  "integrations/smtp": "one file per outside service",
  "integrations/storage": "one file per outside service",
  "integrations/json-client": "how every outside service that speaks JSON is asked, with its time limit",
  "integrations/payment-provider": "what every payment provider can do, and the shape in which it shows payments",
  "integrations/provider-error": "what a call to a payment provider may throw",
  "limits/rate-limits": "how often anything may be done is one table with reasons",
  "limits/presses": "what a press of a form has created is found in one way, whichever form it is",
  "limits/sender": "what counts as one sender is the same for limits, queues and visits",
  "limits/attempt-limits": "passwords and codes, wherever they are typed, are counted in one way",
  "mail/layout": "the one frame of every mail",
  "mail/composing": "how features say what their mails contain",
  "sessions/viewer": "who asks, as every rule and every page sees it",
  "sessions/request": "a request as operations see it",
  "sessions/cookies": "cookies of a request and of its response are read and set in one place",
  "sessions/session": "sessions are created, resolved and rotated in one place",
  "sessions/guards": "who may call an operation, and how often, stands in its chain",
  "sessions/operations": "every operation of the contract is implemented from here",
  "sessions/device-label": "the names of browsers and systems are a list with a reader",
  "sessions/known-devices": "the cookie by which an account knows a browser is read and set in one place",
  "accounts/password": "hashing is slow on purpose and knows nothing of people",
  "accounts/allowance":
    "which requested mails may leave to a mailbox is decided in one place, by the job that writes them",
  "accounts/sign-in/attempts": "passwords and codes, wherever they are typed, are refused in one way",
  "accounts/second-factor/codes": "makes and checks codes, and knows nothing of people",
  "accounts/second-factor/challenges": "what a browser holds between the password and the code",
  "accounts/refresh-session": "whatever changes a session answers with it",
  "accounts/registration/browser": "which browser registered is asked when it confirms and when it signs in",
  "accounts/common-passwords": "a long list made by a program",
  "consultations/community": "the sidebar's numbers are kept for some seconds",
  "answers/pages": "a page of answers with their replies is read for a consultation's page and for the list on its own",
  "psychologists/visitor-mark": "what is kept of a visitor for a day is made in one place",
  "safety/help-lines": "lines and the dates of their verification are data with a reader",
  "memberships/gold": "what Gold follows from, for the steps of memberships and grants alike",
  "memberships/problems/target": "what to read for a problem is found in one way, whatever is done about it",
  "memberships/settlement/reconcile":
    "reads a provider and settles what it shows; whoever learns of a payment calls it",
  "memberships/cancellation/send": "cancels at the payment providers, at once and from jobs, in one way",
  "memberships/webhooks/receive":
    "webhook requests have no session: their signature is checked and they are handled in one place",
  "memberships/providers/all": "the one list of the providers",
  "memberships/providers/minor-units": "how decimals of other people become whole hundredths",
  "memberships/providers/response-fields":
    "how strange a provider's response may be is decided for all of them at once",
  "memberships/sweep/pace": "how fast a sweep may ask a provider, and when it stops, does not depend on what it asks",
  "demo/load": "fills an empty database",
  "demo/rows": "the fictional community as rows of the tables",
  "demo/community": "the fictional people and what they wrote",
  "own-data/export": "streams the export of a user's data, one at a time, for the API and the page alike",
  "uploads/square-photo": "reads the pictures that users upload, two at a time, and knows nothing of accounts",
};

/** Names that do not say what is inside. `index` within a longer name is allowed. */
const EMPTY_NAME = /^index$|(^|-)(utils?|helpers?|managers?|services?)(-|$)/i;

/** SQL stands in the stores of folders; these open, migrate, watch, order, record and queue for all of them. */
const SQL_FILES = words(
  `audit http/shell database/handles database/keyset database/migrate database/embedded
  database/job-connections database/listening database/replica database/connection-check`,
).map((name) => `server/${name}.ts`);
const SQL = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*["'`]/;
/** Specification, S1.1-5: a new name is a change of one line. Comments may use it. */
const NAME_FILE = "shared/product.ts";
const CLOCK = /\bDate\.now\(|\bnew Date\b(\(\s*\)|(?!\s*\())/;
const EXPORTED_FUNCTION =
  /^export (?:default )?(?:(?:async )?function\*? ?(\w*)|const (\w+)\b.*?=\s+(?:async )?(?:function\b|<|\(|\w+ =>))/gm;

/** A parameter that demands a transaction. */
const TAKES_TX = /[(,]\s*tx: Tx\b/;

type Source = { path: string; imports: Import[]; code: string; undocumented: string[]; broken: boolean };

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

/** The functions that a file exports: where each begins, and its name. */
const exportedFunctions = (code: string): [number, string][] =>
  Array.from(code.matchAll(EXPORTED_FUNCTION), (found) => [found.index, found[1] || found[2] || "default"]);

/** Where the body of a function begins, or its result: after the parenthesis that closes its parameters. */
function endOfParameters(code: string, at: number): number {
  let depth = 0;
  for (let end = code.indexOf("(", at); end >= 0 && end < code.length; end++) {
    if (code[end] === "(") depth++;
    if (code[end] === ")" && --depth === 0) return end;
  }
  return code.length;
}

/** The names in import and export statements, and those of `import()`, each with whether only types are meant. */
function importsOf(source: string, { program, module }: ReturnType<typeof parseSync>): [string, boolean][] {
  const found: [string, boolean][] = [];
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") found.push([node.source.value, node.importKind === "type"]);
    if (node.type === "ExportAllDeclaration") found.push([node.source.value, node.exportKind === "type"]);
    if (node.type === "ExportNamedDeclaration" && node.source)
      found.push([node.source.value, node.exportKind === "type"]);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^["'`](.*)["'`]$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal) found.push([literal[1]!, false]);
  }
  return found;
}

/** Reads what the rules need. `import { type A }` counts as a value, since it loads the module. */
function read(path: string, source: string): Source {
  const parsed = parseSync(path, source);
  const imports = importsOf(source, parsed).map(([specifier, typeOnly]) => {
    const file = specifier.replace(/\?.*$/, "");
    const target = file.startsWith(".") ? posix.join(posix.dirname(path), file) : file.replace(/^#/, "");
    return { target, typeOnly };
  });
  let code = source;
  const documented = new Set<number>();
  for (const { type, value, start, end } of parsed.comments) {
    code = code.slice(0, start) + code.slice(start, end).replace(/\S/g, " ") + code.slice(end);
    if (type === "Block" && value.startsWith("*")) documented.add(end + 1);
  }
  const undocumented = exportedFunctions(code).flatMap(([at, name]) => (documented.has(at) ? [] : [name]));
  return { path, imports, code, undocumented, broken: parsed.errors.length > 0 };
}

/** What is wrong with where a file lies or how it is called, or null. */
function nameProblem(path: string): string | null {
  const { root, part } = place(path);
  const empty = path.split("/").find((segment) => EMPTY_NAME.test(segment.split(".")[0]!));
  if (empty) return `${path} is called "${empty}", which does not say what is inside`;
  if (!TOP.includes(root)) return `${path} lies under "${root}", which is no known entry of the repository`;
  if (root === "app") return problemInApp(path, part);
  return root === "server" ? problemInServer(path) : null;
}

function problemInApp(path: string, part: string): string | null {
  if (part !== "") return part in APP_MAY ? null : `${path} lies in no known folder of app/`;
  return APP_FILES.includes(path.split("/")[1]!) ? null : `${path} is no known file of app/`;
}

function problemInServer(path: string): string | null {
  const { part, subfolder, name } = place(path);
  if (part === "") return SERVER_FILES.includes(name) ? null : `${path} is no known file of server/`;
  if (part === "http") return HTTP_FILES.includes(name) ? null : `${path} is no known file of server/http/`;
  if (![...SERVER_FEATURES, ...GROUND, ...SERVER_LAYERS].includes(part))
    return `${path} lies in no known feature of server/`;
  if (subfolder && !SUBFOLDERS[part]?.includes(subfolder))
    return `${path} lies in a folder inside a feature, but features are flat but for the subfolders in scripts/places.ts`;
  if (place(path).kind === "provider" && (PROVIDER_FILES.includes(name) || isTest(path))) return null;
  const noun = [part, subfolder, name].filter(Boolean).join("/");
  if (isTest(path) || NOUNS[noun] || (!FOLDERS_OF_NOUNS.includes(part) && kindOf(name) !== "noun")) return null;
  return `${path} is called neither ${FEATURE_FILES.join(", ")} nor a noun listed in scripts/check-structure.ts`;
}

/** Cycles among value imports, each as its files in order, the first repeated at the end. */
function importCycles(sources: Map<string, Source>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path]);
    else if (!done.has(path)) {
      for (const { target, typeOnly } of sources.get(path)?.imports ?? [])
        if (!typeOnly) visit(target, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}

/** What is wrong with what a file holds, whatever it imports. */
function contentProblems({ path, imports, code, undocumented, broken }: Source): string[] {
  const problems: string[] = broken ? [`${path} cannot be parsed`] : [];
  if (path !== NAME_FILE && code.includes(PRODUCT_NAME))
    problems.push(`${path} spells the product's name, which only ${NAME_FILE} holds`);
  const kind = path.startsWith("server/") ? place(path).kind : "";
  if (kind === "rules" && CLOCK.test(code)) problems.push(`${path} reads the clock, but to rules time is an argument`);
  const holdsSql = SQL.test(code) || imports.some(({ target, typeOnly }) => target === "kysely" && !typeOnly);
  const mayHoldSql = (path.startsWith("server/") && kindOf(place(path).name) === "store") || SQL_FILES.includes(path);
  if (holdsSql && !mayHoldSql) problems.push(`${path} holds SQL, which belongs in a store.ts`);
  if (kind === "steps")
    for (const [at, name] of exportedFunctions(code))
      if (!TAKES_TX.test(code.slice(at, endOfParameters(code, at))))
        problems.push(`${path} exports ${name}, but steps run inside a transaction and take "tx: Tx"`);
  if (/^(rules|commands|steps)$/.test(kind))
    for (const name of undocumented) problems.push(`${path} exports ${name} without a docstring directly above it`);
  return problems;
}

/** What the rules need of the product's files. */
function readAll(files: Map<string, string>): Map<string, Source> {
  const readable = [...files].filter(([path]) => /^(app|server|shared)\/.*\.tsx?$/.test(path) && !isTest(path));
  return new Map(readable.map(([path, source]) => [path, read(path, source)]));
}

/** What is wrong in a set of files (path from the repository's folder -> source), a sentence each; empty when all is well. */
export function checkStructure(files: Map<string, string>): string[] {
  const problems = [...files.keys()].map(nameProblem).filter((problem) => problem !== null);
  const sources = readAll(files);
  const loadsZod = (path: string, seen = new Set<string>()): boolean => {
    if (seen.has(path)) return false;
    seen.add(path);
    const values = (sources.get(path)?.imports ?? []).filter(({ typeOnly }) => !typeOnly);
    return values.some(({ target }) => target === "zod" || loadsZod(target, seen));
  };
  for (const source of sources.values()) {
    problems.push(...contentProblems(source));
    for (const one of source.imports) {
      const why = importProblem(source.path, one, loadsZod);
      if (why) problems.push(`${source.path} imports ${one.typeOnly ? "types of " : ""}${one.target}, but ${why}`);
    }
  }
  for (const cycle of importCycles(sources))
    problems.push(`${cycle[0]} is in a cycle of imports: ${cycle.join(" -> ")}`);
  return problems.map((problem) => `${problem}.`);
}

/** Cycles between folders in a set of files, types included, a sentence each. */
export const cyclesOfFolders = (files: Map<string, string>): string[] => folderCycles([...readAll(files).values()]);

/** The repository's files: those that git knows or would add; without git, whatever .gitignore does not name. */
export function repositoryFiles(root: string): Map<string, string> {
  const git = spawnSync("git", ["ls-files", "-coz", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  let paths = git.status === 0 ? git.stdout.split("\0").filter(Boolean) : [];
  if (!paths.length) {
    const ignored = readFileSync(join(root, ".gitignore"), "utf8").split(/\s+/).filter(Boolean);
    const exclude = [".git", ...ignored].map((pattern) => `**/${pattern.replace(/\/$/, "")}`);
    const entries = globSync("**/*", { cwd: root, exclude, withFileTypes: true }).filter((entry) => entry.isFile());
    paths = entries.map((entry) => posix.relative(root, join(entry.parentPath, entry.name)));
  }
  const source = (path: string) => (/\.(tsx?|css)$/.test(path) ? readFileSync(join(root, path), "utf8") : "");
  const there = paths.filter((path) => existsSync(join(root, path))).sort();
  return new Map(there.map((path) => [path, source(path)]));
}

if (import.meta.main) {
  const files = repositoryFiles(join(import.meta.dirname, ".."));
  const glossary = readFileSync(join(import.meta.dirname, "..", "docs", "glossary.md"), "utf8");
  const problems = [
    ...checkStructure(files),
    ...cyclesOfFolders(files),
    ...sizeProblems(files),
    ...wordProblems(files, glossary),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}
