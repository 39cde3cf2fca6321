/** Checks the places, names and imports of files. The tables are the rules. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "vite";
import { PRODUCT_NAME } from "#shared/product.ts";
import {
  FEATURE_FILES,
  FOUNDATION,
  HTTP_FILES,
  kindOf,
  PROVIDER_FILES,
  place,
  SERVER_FEATURES,
  SERVER_FILES,
  SUBFOLDERS,
  words,
} from "./file-layout.ts";
import { folderCycles } from "./folder-cycles.ts";
import { wordProblems } from "./forbidden-words.ts";
import { APP_ALLOWED_IMPORTS, type Import, importProblem } from "./import-rules.ts";
import { sizeProblems } from "./sizes.ts";

/** Allowed entries of the repository's root. A new entry is a decision, so it is a change here too. */
const TOP =
  words(`app server shared migrations test e2e bench scripts docs public .ci .github .vscode .gitignore .npmrc README.md
  CONTRIBUTING.md LICENSE package.json package-lock.json tsconfig.json biome.json vite.config.ts vitest.config.ts
  playwright.config.ts react-router.config.ts`);
const APP_FILES = words("root.tsx routes.ts entry.server.tsx entry.client.tsx app.css prose.d.ts");
const SERVER_LAYERS = words("http demo");
const FOLDERS_OF_NOUNS = words("database integrations");

/** Further file names of the server, each with the reason for its own file. */
const EXTRA_FILE_NAMES: Record<string, string> = {
  "database/handles": "public reads, commands and transactions have three types",
  "database/faults": "classifies and logs outages",
  "database/replica": "decides when public reads use a replica",
  "database/connection-check": "checks the connections at the start",
  "database/types": "generated from the migrations",
  "database/visible-types": "generated from the migrations",
  "database/keyset": "reads pages of lists for the stores of several features",
  "database/migrate": "runs before all other code of the server",
  "database/embedded": "starts and stops the embedded server",
  "database/programs": "finds the embedded server's programs and their user",
  "database/postmaster": "reads the state of a data folder's server",
  "database/trusted-copy": "copies programs to a folder that only root can change",
  "database/job-connections": "opens the job queue's connections, one of which listens",
  "database/listening": "LISTEN on a connection that is replaced when it is lost",
  "integrations/smtp": "one file per outside service",
  "integrations/storage": "one file per outside service",
  "integrations/json-client": "calls outside services with JSON, with a timeout",
  "integrations/mercadopago-client": "calls MercadoPago's REST API",
  "integrations/mercadopago-schemas": "the responses of MercadoPago",
  "integrations/mercadopago-signature": "checks who signed a webhook request of MercadoPago",
  "integrations/minor-units": "converts decimals of providers to minor units",
  "integrations/paypal-client": "calls PayPal's REST API",
  "integrations/paypal-schemas": "the responses of PayPal",
  "integrations/paypal-signature": "checks who signed a webhook request of PayPal",
  "integrations/response-fields": "defines which responses of providers are valid",
  "integrations/payment-provider": "the interface of a payment provider",
  "integrations/provider-error": "the error of calls to payment providers",
  "limits/rate-limits": "counts uses against the table of limits",
  "limits/presses": "finds the item that a press of any form created",
  "limits/client-network": "defines a sender for limits, queues and visits",
  "limits/attempt-limits": "counts attempts of passwords and codes",
  "mail/layout": "the layout of all mails",
  "mail/composing": "the interface of mails for features",
  "sessions/viewer": "the viewer's type for rules and pages",
  "sessions/request-context": "the request's type for operations",
  "sessions/cookies": "reads and sets cookies",
  "sessions/session": "creates, resolves and rotates sessions",
  "sessions/guards": "guards and limits of operations",
  "sessions/operations": "implements the contract",
  "sessions/device-label": "a list of browsers and systems with its reader",
  "sessions/known-devices": "reads and sets the cookie of known devices",
  "accounts/password": "hashes passwords, independent of accounts",
  "accounts/mail-quota": "limits requested mails per mailbox, called by the job that composes them",
  "accounts/sign-in/attempts": "refuses attempts of passwords and codes",
  "accounts/second-factor/codes": "creates and checks codes, independent of accounts",
  "accounts/second-factor/challenges": "the state between the password and the code",
  "accounts/refresh-session": "loads the session again after a change",
  "accounts/registration/browser": "detects the browser that registered",
  "accounts/common-passwords": "a long generated list",
  "consultations/community-stats": "caches the sidebar's numbers",
  "answers/pages": "reads pages of answers with their replies",
  "psychologists/viewer-hash": "hashes a visitor for a day",
  "safety/help-lines": "data of help lines with its reader",
  "memberships/gold": "computes Gold from memberships and grants",
  "memberships/problems/target": "finds the subscription of a problem",
  "memberships/ending/send": "cancels at the payment providers, for a waiting user and for the worker",
  "memberships/reading/checkout": "reads a provider and settles the result",
  "memberships/reading/events": "receives webhook requests, which have no session, and finds their checkouts",
  "memberships/reading/gate": "decides when a provider is not called",
  "memberships/providers/registry": "the list of providers",
  "demo/load": "fills an empty database",
  "demo/rows": "the fictional community as rows of the tables",
  "demo/community": "the fictional users with their texts",
  "own-data/export": "streams the export of a user's data, one at a time",
  "uploads/square-photo": "decodes uploaded images, two at a time",
};

/** Names that do not describe their content. `index` within a longer name is allowed. */
const EMPTY_NAME = /^index$|(^|-)(utils?|helpers?|managers?|services?)(-|$)/i;

/** SQL belongs in the stores of folders. These files open, migrate, watch, order, record and queue for all of them. */
const SQL_FILES = words(
  `audit http/shell database/handles database/keyset database/migrate database/embedded
  database/job-connections database/listening database/replica database/connection-check`,
).map((name) => `server/${name}.ts`);
const SQL = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*["'`]/;
/** Specification, S1.1-5: a new name is a change of one line. Comments may contain it. */
const NAME_FILE = "shared/product.ts";
const CLOCK = /\bDate\.now\(|\bnew Date\b(\(\s*\)|(?!\s*\())/;
const EXPORTED_FUNCTION =
  /^export (?:default )?(?:(?:async )?function\*? ?(\w*)|const (\w+)\b.*?=\s+(?:async )?(?:function\b|<|\(|\w+ =>))/gm;

/** A parameter that requires a transaction. */
const TAKES_TX = /[(,]\s*tx: Tx\b/;

type Source = { path: string; imports: Import[]; code: string; undocumented: string[]; broken: boolean };
const isTest = (path: string) => /\.test\.tsx?$/.test(path);

/** Returns start and name of each exported function of a file. */
const exportedFunctions = (code: string): [number, string][] =>
  Array.from(code.matchAll(EXPORTED_FUNCTION), (found) => [found.index, found[1] || found[2] || "default"]);

/** Returns the end of a function's parameters. */
function endOfParameters(code: string, at: number): number {
  let depth = 0;
  for (let end = code.indexOf("(", at); end >= 0 && end < code.length; end++) {
    if (code[end] === "(") depth++;
    if (code[end] === ")" && --depth === 0) return end;
  }
  return code.length;
}

/** Returns the names in import and export statements and in `import()`, each with true if it imports only types. */
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

/**
 * Reads the parts of a file that the rules need. `import { type A }` counts as a value, because it loads the module.
 */
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

/** Returns the problem of a file's place or name, or null. */
function nameProblem(path: string): string | null {
  const { root, part } = place(path);
  const empty = path.split("/").find((segment) => EMPTY_NAME.test(segment.split(".")[0]!));
  if (empty) return `${path} is called "${empty}", which does not describe its content`;
  if (!TOP.includes(root)) return `${path} is under "${root}", which is not a known entry of the repository`;
  if (root === "app") return problemInApp(path, part);
  return root === "server" ? problemInServer(path) : null;
}

function problemInApp(path: string, part: string): string | null {
  if (part !== "") return part in APP_ALLOWED_IMPORTS ? null : `${path} is in an unknown folder of app/`;
  return APP_FILES.includes(path.split("/")[1]!) ? null : `${path} is an unknown file of app/`;
}

function problemInServer(path: string): string | null {
  const { part, subfolder, name } = place(path);
  if (part === "") return SERVER_FILES.includes(name) ? null : `${path} is an unknown file of server/`;
  if (part === "http") return HTTP_FILES.includes(name) ? null : `${path} is an unknown file of server/http/`;
  if (![...SERVER_FEATURES, ...FOUNDATION, ...SERVER_LAYERS].includes(part))
    return `${path} is in an unknown feature of server/`;
  if (subfolder && !SUBFOLDERS[part]?.includes(subfolder))
    return `${path} is in a folder inside a feature, but features are flat except for the subfolders in scripts/file-layout.ts`;
  if (place(path).kind === "provider" && (PROVIDER_FILES.includes(name) || isTest(path))) return null;
  const listed = EXTRA_FILE_NAMES[[part, subfolder, name].filter(Boolean).join("/")];
  if (isTest(path) || listed || (!FOLDERS_OF_NOUNS.includes(part) && kindOf(name) !== "noun")) return null;
  return `${path} is called neither ${FEATURE_FILES.join(", ")} nor a noun listed in scripts/check-structure.ts`;
}

/** Returns the cycles of value imports, each as its files in order with the first repeated at the end. */
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

/** Returns the problems of a file's content, without its imports. */
function contentProblems({ path, imports, code, undocumented, broken }: Source): string[] {
  const problems: string[] = broken ? [`${path} cannot be parsed`] : [];
  if (path !== NAME_FILE && code.includes(PRODUCT_NAME))
    problems.push(`${path} contains the product's name, which only ${NAME_FILE} may contain`);
  const kind = path.startsWith("server/") ? place(path).kind : "";
  if (kind === "rules" && CLOCK.test(code))
    problems.push(`${path} reads the clock, but rules get the time as an argument`);
  const holdsSql = SQL.test(code) || imports.some(({ target, typeOnly }) => target === "kysely" && !typeOnly);
  const mayHoldSql = (path.startsWith("server/") && kindOf(place(path).name) === "store") || SQL_FILES.includes(path);
  if (holdsSql && !mayHoldSql) problems.push(`${path} contains SQL, which belongs in a store.ts`);
  if (kind === "steps")
    for (const [at, name] of exportedFunctions(code))
      if (!TAKES_TX.test(code.slice(at, endOfParameters(code, at))))
        problems.push(`${path} exports ${name}, but steps run inside a transaction and take "tx: Tx"`);
  if (/^(rules|commands|steps)$/.test(kind))
    for (const name of undocumented) problems.push(`${path} exports ${name} without a docstring directly above it`);
  return problems;
}

/** Reads the product's files for the rules. */
function readAll(files: Map<string, string>): Map<string, Source> {
  const readable = [...files].filter(([path]) => /^(app|server|shared)\/.*\.tsx?$/.test(path) && !isTest(path));
  return new Map(readable.map(([path, source]) => [path, read(path, source)]));
}

/** Returns the problems of a set of files (path from the repository's folder -> source), one sentence each. */
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

/** Returns the cycles between folders in a set of files, including type imports, one sentence each. */
export const cyclesOfFolders = (files: Map<string, string>): string[] => folderCycles([...readAll(files).values()]);

/** Returns the files that git knows or would add. Without git, those that .gitignore does not exclude. */
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
  return new Map(
    paths
      .filter((path) => existsSync(join(root, path)))
      .sort()
      .map((path) => [path, source(path)]),
  );
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
