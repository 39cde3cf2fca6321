/** Rules of imports: the first row of `RULES` that fits an import decides about it. */
import { APP_FEATURES, FOUNDATION, place, providerFolder, SERVER_FEATURES, words } from "./file-layout.ts";

/**
 * Imports that a part of `app` may have from other parts.
 * `layout` surrounds every page, `landing` contains the sections of the landing page, `components` shows domain data for
 * several features.
 */
export const APP_ALLOWED_IMPORTS: Record<string, string[]> = {
  "": [...APP_FEATURES, "layout", "landing", "components", "ui", "lib"],
  routes: [...APP_FEATURES, "layout", "landing", "components", "ui", "lib"],
  layout: words("accounts components ui lib"),
  landing: words("ui lib"),
  ...Object.fromEntries(APP_FEATURES.map((feature) => [feature, words("safety components ui lib")])),
  consultations: words("answers safety components ui lib"),
  psychologists: words("reviews components ui lib"),
  components: words("ui lib"),
  ui: ["lib"],
  lib: [],
};

/**
 * Kinds of files whose values a kind of server file may import; "own" means in the same folder or its subfolders. Types
 * and `shared` are always allowed.
 */
const SERVER_ALLOWED_IMPORTS: Record<string, string[]> = {
  root: words("root database integrations http routes rules store present queues jobs mails noun demo"),
  http: words("http root database rules present noun"),
  routes: ["own commands", ...words("rules store present noun root")],
  commands: words("rules store queues steps noun integrations root database"),
  steps: words("rules store queues steps noun root database"),
  rules: ["rules"],
  present: words("rules present"),
  store: words("rules store queues noun root database"),
  jobs: ["own commands", ...words("rules store queues steps present mails noun integrations root database")],
  queues: words("rules root database"),
  mails: words("rules store noun root database"),
  noun: ["own commands", ...words("rules store queues steps present mails noun integrations root database")],
  demo: words("demo commands rules store present queues jobs noun root database"),
  database: words("database root"),
  integrations: words("integrations root"),
  provider: words("provider rules noun integrations root"),
};

/** Libraries for rules: pure functions on tables, without database, network or clock. */
const PURE_LIBRARIES = new Set(["libphonenumber-js"]);

/**
 * An import: the imported file or package, and whether only its types are imported. `import { type A }` loads the
 * module.
 */
export type Import = { target: string; typeOnly: boolean };
type Place = ReturnType<typeof place>;

/** Returns the labels of both ends of an import, which rows contain. "anything" fits each. */
const labelsOfFile = (path: string, { root, part, kind }: Place): string[] => [
  "anything",
  root,
  path,
  `${root}:${kind}`,
  ...(root === "server" && FOUNDATION.includes(part) ? ["ground"] : []),
  ...(root === "server" && SERVER_FEATURES.includes(part) ? ["feature"] : []),
];

function labelsOfPackage(target: string): string[] {
  const labels = ["anything", "package", target];
  if (/^(zod|@orpc)(\/|$)/.test(target)) labels.push("zod and oRPC");
  if (/^(pg|kysely|hono)(\/|$)/.test(target)) labels.push("database and HTTP");
  if (PURE_LIBRARIES.has(target)) labels.push("pure library");
  return labels;
}

/** True if the tables above allow the import between two places of the same root. */
function inTheTable(target: string, from: Place, to: Place): boolean {
  const same =
    from.part === to.part && (from.root === "app" || from.subfolder === to.subfolder || from.subfolder === "");
  if (from.root !== "app")
    return Boolean(
      SERVER_ALLOWED_IMPORTS[from.kind]?.includes(to.kind) ||
        (same && SERVER_ALLOWED_IMPORTS[from.kind]?.includes(`own ${to.kind}`)),
    );
  if (same && (from.part !== "routes" || /\.(css|md)$/.test(target))) return true;
  return Boolean(APP_ALLOWED_IMPORTS[from.part]?.includes(to.part));
}

function labelsOfTarget(target: string, fromPath: string, from: Place, loadsZod: (path: string) => boolean): string[] {
  if (/^(test|e2e|bench|scripts)\//.test(target)) return ["anything", "tests and scripts"];
  if (target.includes("+types/")) return ["anything", "types of routes"];
  if (target.startsWith("virtual:")) return ["anything", "built pages"];
  if (!/^(app|server|shared)\//.test(target)) return labelsOfPackage(target);
  const to = place(target);
  const labels = labelsOfFile(target, to);
  if (to.root === "shared" && loadsZod(target)) labels.push("loads zod");
  if (to.root === "app" && to.part === "") labels.push("root of app");
  const folder = providerFolder(target);
  if (folder) labels.push(providerFolder(fromPath) === folder ? "own provider's folder" : "a provider's folder");
  if (to.kind === "routes" && from.part === to.part && from.subfolder === "") labels.push("routes of its subfolders");
  return [...labels, to.root === from.root && inTheTable(target, from, to) ? "in the table" : "not in the table"];
}

const nameOf = ({ root, part, kind, name }: Place) =>
  root === "app" ? part || "the root of app" : kind === "noun" ? name : kind;
const tableOf = ({ root, part, kind }: Place) =>
  (root === "app" ? APP_ALLOWED_IMPORTS[part] : SERVER_ALLOWED_IMPORTS[kind]) ?? [];

const OK = null;
/** Refusal with the allowed imports of this place. */
const SEE_TABLE = (from: Place): string =>
  `${nameOf(from)} may import values of ${tableOf(from).join(", ") || "nothing"} only`;

/** From, to, values or types or both, and the reason of a refusal. */
type Row = [string, string, "values" | "types" | "both", typeof OK | string | typeof SEE_TABLE];
const RULES: Row[] = [
  ["anything", "tests and scripts", "both", "the product may not import tests and scripts"],

  ["shared", "shared", "both", OK],
  ["shared", "zod", "both", OK],
  ["shared/operation.ts", "@orpc/contract", "both", OK],
  ["shared", "anything", "both", "shared may import shared and zod, and only operation.ts @orpc/contract"],

  ["app", "types of routes", "both", OK],
  ["app", "zod and oRPC", "values", "zod and oRPC stay on the server"],
  ["app", "package", "both", OK],
  ["app", "built pages", "both", OK],
  ["app", "server", "values", "app may import only types from server"],
  ["app", "server", "types", OK],
  ["app", "loads zod", "values", "app may import only types from files that load zod"],
  ["app", "shared", "both", OK],
  ["app", "in the table", "both", OK],
  ["app", "root of app", "types", OK],
  ["app:routes", "anything", "types", OK],
  ["app", "anything", "both", SEE_TABLE],

  ["server:http", "app/lib/page-request.server.ts", "both", OK],
  ["server", "app", "both", "server may not import app"],
  ["server/app.ts", "built pages", "both", OK],
  ["server", "built pages", "both", "only server/app.ts may import the built pages"],
  ["server", "shared", "both", OK],
  ["server/memberships/providers/registry.ts", "a provider's folder", "both", OK],
  ["server/memberships/routes.ts", "server/memberships/providers/test/commands.ts", "values", OK],
  [
    "server",
    "a provider's folder",
    "both",
    "only memberships/providers/registry.ts may import the folder of a provider",
  ],
  ["server:provider", "own provider's folder", "both", OK],
  ["server:integrations", "not in the table", "both", "integrations may import no feature"],
  ["server:database", "not in the table", "both", "database may import no feature"],
  ["ground", "feature", "both", "the ground may import no feature"],
  ["server:rules", "database and HTTP", "both", "rules may import neither database nor HTTP"],
  ["server", "anything", "types", OK],
  ["server:rules", "pure library", "values", OK],
  ["server:rules", "package", "values", "rules may import only shared and rules"],
  ["server:present", "package", "values", "present may import only shared and rules"],
  ["server", "package", "values", OK],
  ["server/app.ts", "in the table", "values", OK],
  ["server:routes", "routes of its subfolders", "values", OK],
  ["server", "server:routes", "values", "only server/app.ts may import the routes of features"],
  ["server", "in the table", "values", OK],
  ["server", "anything", "values", SEE_TABLE],
];

/** Returns why a file may not import another one, or null. */
export function importProblem(
  path: string,
  { target, typeOnly }: Import,
  loadsZod: (path: string) => boolean,
): string | null {
  const from = place(path);
  const [froms, targets] = [labelsOfFile(path, from), labelsOfTarget(target, path, from, loadsZod)];
  if (from.root === "app") froms.push(`app:${from.part}`);
  const row = RULES.find(
    ([one, other, about]) =>
      froms.includes(one) && targets.includes(other) && about !== (typeOnly ? "values" : "types"),
  );
  const why = row?.[3] ?? OK;
  return typeof why === "function" ? why(from) : why;
}
