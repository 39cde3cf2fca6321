/**
 * Bytes that a visitor's browser loads before `/` is interactive, against the budget: files with gzip, the document with
 * Brotli.
 * `npm run bundle-size` measures the built site on its own server, `npm run bundle-size http://...` a running one.
 */
import { get } from "node:http";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";
import { parseSync } from "vite";
import { dataFolder, startServer } from "../e2e/server.ts";

/** Transferred bytes without headers. A kilobyte is 1,000 bytes, which is the stricter definition. */
export const BUDGET = { HTML: 12_000, JavaScript: 130_000, CSS: 14_000, fonts: 65_000 } as const;

export type Kind = keyof typeof BUDGET;
export type Asset = { path: string; kind: Kind; bytes: number };

/**
 * Requests a URL with gzip.
 * @returns the number of transferred bytes and the decoded text
 */
function served(url: URL): Promise<{ bytes: number; text: string }> {
  return new Promise((done, fail) => {
    const request = get(url, { headers: { "accept-encoding": "gzip" } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (response.statusCode !== 200) return fail(new Error(`${url.pathname} responded ${response.statusCode}`));
      const plain = response.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      done({ bytes: body.length, text: plain.toString() });
    });
    request.on("error", fail);
  });
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

/** Returns the modules that a module or an inline script makes the browser load at once. */
function importedBy(source: string, inline: boolean): string[] {
  const { module } = parseSync("chunk.js", source);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  // An inline script's import() runs at once; a chunk's import() runs on demand.
  if (!inline) return imports;
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1));
  return [...imports, ...dynamic];
}

/** Bytes of a document as the page cache compresses it, without inline style sheets: their files are counted. */
const documentBytes = (html: string) =>
  brotliCompressSync(html.replace(/<style>.*?<\/style>/gs, ""), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    .length;

/** The HTML of `/` and all files that it makes a browser load: modules with imports, style sheets and their fonts. */
export async function firstLoad(base: string): Promise<Asset[]> {
  const home = new URL("/", base);
  const { text: html } = await served(home);
  const assets = new Map<string, Asset>([["/", { path: "/", kind: "HTML", bytes: documentBytes(html) }]]);
  const take = async (path: string, kind: Kind): Promise<string | null> => {
    if (assets.has(path)) return null;
    const asset = { path, kind, bytes: 0 };
    assets.set(path, asset);
    const { bytes, text } = await served(new URL(path, base));
    asset.bytes = bytes;
    return text;
  };
  const takeModule = async (path: string): Promise<void> => {
    const source = await take(path, "JavaScript");
    if (source === null) return;
    for (const next of importedBy(source, false)) await takeModule(new URL(next, new URL(path, base)).pathname);
  };
  const links = (html.match(/<link\b[^>]*>/g) ?? []).map((tag) => ({
    rel: attribute(tag, "rel"),
    as: attribute(tag, "as"),
    href: attribute(tag, "href"),
  }));
  for (const { rel, as, href } of links) {
    if (rel === "modulepreload") await takeModule(href);
    if (rel === "preload" && as === "font") await take(href, "fonts");
    if (rel !== "stylesheet") continue;
    // React Router ends the href of a shared style sheet with "#".
    const css = await take(new URL(href, base).pathname, "CSS");
    for (const [, font] of (css ?? "").matchAll(/url\(["']?([^)"']+\.woff2)["']?\)/g))
      await take(new URL(font!, new URL(href, base)).pathname, "fonts");
  }
  for (const [, attributes = "", body = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    const src = attribute(attributes, "src");
    if (src) await takeModule(src);
    else if (attribute(attributes, "type") === "module")
      for (const next of importedBy(body, true)) await takeModule(next);
  }
  return [...assets.values()];
}

/** Returns one sentence per exceeded budget. */
export function exceededBudgets(assets: readonly Asset[]): string[] {
  return (Object.keys(BUDGET) as Kind[]).flatMap((kind) => {
    const sum = sumOf(assets, kind);
    return sum > BUDGET[kind] ? [`${kind} of / is ${sum} bytes, ${sum - BUDGET[kind]} above the budget.`] : [];
  });
}

export const sumOf = (assets: readonly Asset[], kind: Kind): number =>
  assets.reduce((sum, asset) => (asset.kind === kind ? sum + asset.bytes : sum), 0);

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(7);

function print(assets: readonly Asset[]): void {
  console.log("First load of / in kB\n");
  for (const kind of Object.keys(BUDGET) as Kind[]) {
    const files = assets.filter((asset) => asset.kind === kind).sort((a, b) => b.bytes - a.bytes);
    console.log(`${kind}: ${kilobytes(sumOf(assets, kind)).trim()} of ${BUDGET[kind] / 1000}`);
    for (const { path, bytes } of files) console.log(`${kilobytes(bytes)}  ${path.slice(path.lastIndexOf("/") + 1)}`);
  }
}

/** Measures a URL, or a new server with the demo community. */
async function measured(address: string | undefined) {
  if (address) return firstLoad(address);
  const folder = dataFolder();
  const server = await startServer({ DATA_DIR: folder.path, DEMO: "on" });
  try {
    return await firstLoad(server.url);
  } finally {
    await server.stop();
    folder.remove();
  }
}

if (process.argv[1] === import.meta.filename) {
  const assets = await measured(process.argv[2]);
  print(assets);
  const problems = exceededBudgets(assets);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
}
