/** Changes the heads of documents, so that the browser paints a visitor's first one after one round trip. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Cached pages with inline style sheets. On thousands of consultations they would fill the cache. */
const PAINTED_AT_ONCE = /^\/(home|ayuda|sin-conexion)?$/;

const STYLE_SHEET = /<link rel="stylesheet" href="([^"#]+)#?"[^>]*>/g;
const HEAD_END = "</head>";

/** Returns a document and the hashes of its style elements. The path is null for a document that is not cached. */
export type PaintFirst = (
  path: string | null,
  document: Buffer<ArrayBuffer>,
) => { document: Buffer<ArrayBuffer>; styleHashes: string[] };

export function openPaintFirst(clientFolder: string): PaintFirst {
  return (path, document) => {
    const end = document.indexOf(HEAD_END);
    const styleHashes: string[] = [];
    let head = document
      .toString("utf8", 0, end)
      // Scripts share the network with fonts and style sheets, which the first paint needs.
      .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
    if (path !== null && PAINTED_AT_ONCE.test(path))
      // React hydrates the link. The media query never matches, so the browser fetches the file late, for the next
      // pages.
      head = head.replace(STYLE_SHEET, (link, href: string) => {
        const css = readFileSync(join(clientFolder, href), "utf8");
        styleHashes.push(`'sha256-${createHash("sha256").update(css).digest("base64")}'`);
        return `<style>${css}</style>${link.replace("<link", '<link media="print"')}`;
      });
    return { document: Buffer.concat([Buffer.from(head), document.subarray(end)]), styleHashes };
  };
}
